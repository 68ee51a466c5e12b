package io.longhaul.broker.artemis;

import io.longhaul.ptcp.artemis.PtcpConnectorFactory;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.activemq.artemis.spi.core.remoting.BufferHandler;
import org.apache.activemq.artemis.spi.core.remoting.ClientConnectionLifeCycleListener;
import org.apache.activemq.artemis.spi.core.remoting.ClientProtocolManager;
import org.apache.activemq.artemis.spi.core.remoting.Connector;
import org.apache.activemq.artemis.spi.core.remoting.ConnectorFactory;

/**
 * What Artemis makes connections between the brokers of a pair with.
 *
 * <p>Brokers send each other where they think they can be reached, which is of no use behind other names or certificates.
 * In a pair there is one other broker, and its place was told: all connections go there.
 */
public final class PairConnectorFactory implements ConnectorFactory {
    static final String PAIR = "pair";
    private final PtcpConnectorFactory parallel = new PtcpConnectorFactory();

    @Override
    public Connector createConnector(
            Map<String, Object> configuration,
            BufferHandler handler,
            ClientConnectionLifeCycleListener listener,
            Executor closeExecutor,
            Executor threadPool,
            ScheduledExecutorService scheduledThreadPool,
            ClientProtocolManager protocolManager) {
        Pair pair = Pair.of(String.valueOf(configuration.get(PAIR)));
        Connector connector = parallel.createConnector(
                pair.partner().map(),
                handler,
                listener,
                closeExecutor,
                threadPool,
                scheduledThreadPool,
                protocolManager);
        return new PairConnector(connector, pair.secret());
    }

    /** No: else a lost connection would not be noticed. */
    @Override
    public boolean isReliable() {
        return false;
    }

    @Override
    public Map<String, Object> getDefaults() {
        return parallel.getDefaults();
    }
}
