package io.longhaul.ptcp.artemis;

import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.activemq.artemis.spi.core.remoting.BufferHandler;
import org.apache.activemq.artemis.spi.core.remoting.ClientConnectionLifeCycleListener;
import org.apache.activemq.artemis.spi.core.remoting.ClientProtocolManager;
import org.apache.activemq.artemis.spi.core.remoting.Connector;
import org.apache.activemq.artemis.spi.core.remoting.ConnectorFactory;

/** What Artemis makes connectors with; named in a {@code TransportConfiguration} with {@link PtcpParameters}. */
public final class PtcpConnectorFactory implements ConnectorFactory {
    @Override
    public Connector createConnector(
            Map<String, Object> configuration,
            BufferHandler handler,
            ClientConnectionLifeCycleListener listener,
            Executor closeExecutor,
            Executor threadPool,
            ScheduledExecutorService scheduledThreadPool,
            ClientProtocolManager protocolManager) {
        return new PtcpConnector(configuration, handler, listener, protocolManager, threadPool);
    }

    /** No: else the client would not reconnect. */
    @Override
    public boolean isReliable() {
        return false;
    }

    @Override
    public Map<String, Object> getDefaults() {
        return new PtcpParameters("localhost", 0, 0, false, "", "", true, "").map();
    }
}
