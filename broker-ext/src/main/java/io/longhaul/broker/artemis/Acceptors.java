package io.longhaul.broker.artemis;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.artemis.PtcpAcceptorFactory;
import io.longhaul.ptcp.artemis.SideDoor;
import io.longhaul.ptcp.net.PtcpServer;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.apache.activemq.artemis.core.server.ServiceRegistry;
import org.apache.activemq.artemis.core.server.impl.ServiceRegistryImpl;
import org.apache.activemq.artemis.spi.core.remoting.AcceptorFactory;
import org.jspecify.annotations.Nullable;

/**
 * What listens at the places of the settings.
 *
 * @param sides who may come in besides agents
 * @param secret what a partner of a pair says
 */
record Acceptors(List<SideDoor> sides, Optional<PairSecret> secret) {
    /** TCP connections of one acceptor; an agent has about five. */
    private static final int MOST_CONNECTIONS = 8192;

    ServiceRegistry services(ServerSettings settings, QuietLog log) throws ServerException {
        SslContext tls = settings.tls().isPresent() ? settings.tls().get().context() : null;
        ServiceRegistry services = new ServiceRegistryImpl();
        for (int i = 0; i < settings.acceptors().size(); i++) {
            services.addAcceptorFactory(
                    ServerConfiguration.acceptorName(i),
                    factory(settings.acceptors().get(i), tls, log));
        }
        return services;
    }

    private AcceptorFactory factory(ServerSettings.Listening listening, @Nullable SslContext tls, QuietLog log) {
        HostPort address = listening.address();
        return listening.core()
                ? GuardedNettyAcceptor.factory(address, tls, log)
                : new PtcpAcceptorFactory(
                        new PtcpServer.Settings(
                                "broker-net",
                                new InetSocketAddress(address.host(), address.port()),
                                Optional.ofNullable(tls),
                                Math.max(2, Runtime.getRuntime().availableProcessors()),
                                MOST_CONNECTIONS,
                                true,
                                log::warn),
                        PtcpConfig.defaults(),
                        () -> FirstFrames.guard(secret),
                        sides);
    }
}
