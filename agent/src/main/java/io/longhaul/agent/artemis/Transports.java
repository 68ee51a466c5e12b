package io.longhaul.agent.artemis;

import io.longhaul.ptcp.artemis.BrokerUrl;
import io.longhaul.ptcp.artemis.PtcpConnectorFactory;
import java.util.HashMap;
import java.util.Map;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnectorFactory;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;

/** How Artemis is told to reach a broker: over parallel TCP, or over the one connection of its own transport. */
final class Transports {
    private static final int SOCKET_BUFFER = 1024 * 1024;

    private Transports() {}

    static TransportConfiguration of(BrokerUrl url) {
        return url.parallel() ? parallel(url) : plain(url);
    }

    private static TransportConfiguration parallel(BrokerUrl url) {
        return new TransportConfiguration(
                PtcpConnectorFactory.class.getName(), url.parameters().map());
    }

    private static TransportConfiguration plain(BrokerUrl url) {
        Map<String, Object> parameters = new HashMap<>();
        parameters.put(TransportConstants.HOST_PROP_NAME, url.host());
        parameters.put(TransportConstants.PORT_PROP_NAME, url.port());
        parameters.put(TransportConstants.TCP_SENDBUFFER_SIZE_PROPNAME, SOCKET_BUFFER);
        parameters.put(TransportConstants.TCP_RECEIVEBUFFER_SIZE_PROPNAME, SOCKET_BUFFER);
        parameters.put(TransportConstants.NETTY_CONNECT_TIMEOUT, (int) BrokerConnection.CHECK_MILLIS);
        if (url.tls()) {
            parameters.put(TransportConstants.SSL_ENABLED_PROP_NAME, true);
            parameters.put(TransportConstants.VERIFY_HOST_PROP_NAME, url.verifyHost());
            if (url.ca().isEmpty()) {
                parameters.put(TransportConstants.USE_DEFAULT_SSL_CONTEXT_PROP_NAME, true);
            } else {
                parameters.put(TransportConstants.TRUSTSTORE_TYPE_PROP_NAME, "PEMCA");
                parameters.put(TransportConstants.TRUSTSTORE_PATH_PROP_NAME, url.ca());
            }
            if (!url.certificate().isEmpty()) {
                parameters.put(TransportConstants.KEYSTORE_TYPE_PROP_NAME, "PEM");
                parameters.put(TransportConstants.KEYSTORE_PATH_PROP_NAME, url.certificate());
            }
        }
        return new TransportConfiguration(NettyConnectorFactory.class.getName(), parameters);
    }
}
