package io.longhaul.ptcp.artemis;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.net.PtcpServer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.apache.activemq.artemis.core.server.cluster.ClusterConnection;
import org.apache.activemq.artemis.core.server.metrics.MetricsManager;
import org.apache.activemq.artemis.spi.core.protocol.ProtocolManager;
import org.apache.activemq.artemis.spi.core.remoting.Acceptor;
import org.apache.activemq.artemis.spi.core.remoting.AcceptorFactory;
import org.apache.activemq.artemis.spi.core.remoting.BufferHandler;
import org.apache.activemq.artemis.spi.core.remoting.ServerConnectionLifeCycleListener;

/**
 * What an embedded server makes its acceptor with.
 *
 * <p>Artemis compares the class names of connector and acceptor to find out which cluster connection an acceptor belongs
 * to; ours differ, so name it in the acceptor's parameters: {@code clusterConnection}.
 */
public final class PtcpAcceptorFactory implements AcceptorFactory {
    private final PtcpServer.Settings settings;
    private final PtcpAcceptor.Offer offer;

    /** Takes where to listen, how sessions behave, and what guards each connection. */
    public PtcpAcceptorFactory(PtcpServer.Settings settings, PtcpConfig config, Supplier<FrameGuard> guards) {
        this(settings, config, guards, List.of());
    }

    /** Takes other protocols besides, for which sessions on the same port may ask. */
    public PtcpAcceptorFactory(
            PtcpServer.Settings settings, PtcpConfig config, Supplier<FrameGuard> guards, List<SideDoor> sides) {
        this.settings = settings;
        this.offer = new PtcpAcceptor.Offer(config, guards, List.copyOf(sides));
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Acceptor createAcceptor(
            String name,
            ClusterConnection cluster,
            Map<String, Object> configuration,
            BufferHandler handler,
            ServerConnectionLifeCycleListener listener,
            Executor threadPool,
            ScheduledExecutorService scheduledThreadPool,
            Map<String, ProtocolManager> protocols,
            String threadGroup,
            MetricsManager metrics) {
        return new PtcpAcceptor(
                new PtcpAcceptor.Parts(name, cluster, configuration, handler, listener, protocols), settings, offer);
    }
}
