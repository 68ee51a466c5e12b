package io.longhaul.broker.artemis;

import java.util.Map;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.core.protocol.core.impl.PacketImpl;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.ClusterConnectMessage;
import org.apache.activemq.artemis.spi.core.remoting.Connection;
import org.apache.activemq.artemis.spi.core.remoting.Connector;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to the other broker of a pair, and says at once on each who is there.
 *
 * <p>Artemis says it only where it copies, not where it hears who lives: on that connection nobody ever logs in, so that
 * strangers could push it out.
 */
final class PairConnector implements Connector {
    /** Of a channel that nobody has: {@link FirstFrames} sees the frame, and Artemis drops it. */
    private static final long NO_CHANNEL = Long.MAX_VALUE;

    private static final int GREETING_BYTES = 512;

    private final Connector connector;
    private final PairSecret secret;

    PairConnector(Connector connector, PairSecret secret) {
        this.connector = connector;
        this.secret = secret;
    }

    @Override
    public @Nullable Connection createConnection() {
        Connection connection = connector.createConnection();
        if (connection != null) {
            connection.write(greeting(connection.createTransportBuffer(GREETING_BYTES)));
        }
        return connection;
    }

    private ActiveMQBuffer greeting(ActiveMQBuffer buffer) {
        buffer.writeInt(0);
        buffer.writeByte(PacketImpl.CLUSTER_CONNECT);
        buffer.writeLong(NO_CHANNEL);
        new ClusterConnectMessage(secret.user(), secret.password()).encodeRest(buffer);
        buffer.setInt(0, buffer.writerIndex() - Integer.BYTES);
        return buffer;
    }

    @Override
    public void start() {
        connector.start();
    }

    @Override
    public void close() {
        connector.close();
    }

    @Override
    public boolean isStarted() {
        return connector.isStarted();
    }

    @Override
    public boolean isEquivalent(Map<String, Object> configuration) {
        return connector.isEquivalent(configuration);
    }
}
