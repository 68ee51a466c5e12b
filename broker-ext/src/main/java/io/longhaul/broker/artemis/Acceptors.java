package io.longhaul.broker.artemis;

import com.sun.management.UnixOperatingSystemMXBean;
import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.artemis.PtcpAcceptorFactory;
import io.longhaul.ptcp.artemis.SideDoor;
import io.longhaul.ptcp.net.PtcpServer;
import io.longhaul.ptcp.net.Strangers;
import io.netty.handler.ssl.SslContext;
import java.lang.management.ManagementFactory;
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

    /** What an acceptor has for a moment, until those that are too many are closed. */
    private static final double SURPLUS = 1 + 1.0 / Strangers.SHARE;

    /** As many of the files that may be open are for connections; the journal, which must never lack one, has the others. */
    private static final double SHARE = 0.5;

    ServiceRegistry services(ServerSettings settings, QuietLog log) throws ServerException {
        SslContext tls = settings.tls().isPresent() ? settings.tls().get().context() : null;
        ServiceRegistry services = new ServiceRegistryImpl();
        int most = mostConnections(files(), settings.acceptors().size());
        for (int i = 0; i < settings.acceptors().size(); i++) {
            services.addAcceptorFactory(
                    ServerConfiguration.acceptorName(i),
                    factory(settings.acceptors().get(i), tls, most, log));
        }
        return services;
    }

    /** Returns how many connections each of so many acceptors may have where so many files may be open. */
    static int mostConnections(long files, int acceptors) {
        return (int) Math.max(1, Math.min(MOST_CONNECTIONS, files * SHARE / SURPLUS / Math.max(1, acceptors)));
    }

    private static long files() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }

    private AcceptorFactory factory(
            ServerSettings.Listening listening, @Nullable SslContext tls, int mostConnections, QuietLog log) {
        HostPort address = listening.address();
        return listening.core()
                ? GuardedNettyAcceptor.factory(address, tls, mostConnections, log)
                : new PtcpAcceptorFactory(
                        new PtcpServer.Settings(
                                "broker-net",
                                new InetSocketAddress(address.host(), address.port()),
                                Optional.ofNullable(tls),
                                Math.max(2, Runtime.getRuntime().availableProcessors()),
                                mostConnections,
                                true,
                                log::warn),
                        PtcpConfig.defaults(),
                        () -> FirstFrames.guard(secret),
                        sides);
    }
}
