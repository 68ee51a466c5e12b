package io.longhaul.ptcp.artemis;

import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.client.impl.ClientSessionFactoryImpl;
import org.apache.activemq.artemis.spi.core.remoting.Connector;

/** A plain core client over parallel TCP, and messages whose bodies can be checked. */
final class CoreClient implements AutoCloseable {
    static final String NUMBER = "number";
    private static final String CRC = "crc";
    private static final int PATIENCE_MILLIS = 30_000;
    private final ServerLocator locator;
    private final ClientSessionFactory factory;

    private CoreClient(ServerLocator locator) throws Exception {
        this.locator = locator;
        this.factory = locator.createSessionFactory();
    }

    /** A client that never connects twice. */
    static CoreClient once(int port) throws Exception {
        return new CoreClient(locator(port).setReconnectAttempts(0));
    }

    /**
     * A client that goes on after any failure. The server keeps what it gave to a dead connection of such a client until
     * the connection's time to live is over.
     */
    static CoreClient persistent(int port) throws Exception {
        return new CoreClient(locator(port)
                .setReconnectAttempts(-1)
                .setRetryInterval(100)
                .setConnectionTTL(4_000)
                .setClientFailureCheckPeriod(2_000)
                .setConfirmationWindowSize(1024 * 1024));
    }

    private static ServerLocator locator(int port) throws Exception {
        return ActiveMQClient.createServerLocatorWithoutHA(EmbeddedBroker.connector(port))
                .setUseGlobalPools(false)
                .setThreadPoolMaxSize(8)
                .setScheduledThreadPoolMaxSize(2)
                .setBlockOnDurableSend(true)
                .setCallTimeout(10_000);
    }

    /** A started session that commits every send and acknowledgement by itself. */
    ClientSession session() throws ActiveMQException {
        return session(true);
    }

    ClientSession session(boolean autoCommit) throws ActiveMQException {
        ClientSession session = factory.createSession(autoCommit, autoCommit, 0);
        session.start();
        return session;
    }

    /** Returns what its connection was made with. */
    Connector connector() {
        return (Connector) ((ClientSessionFactoryImpl) factory).getConnector();
    }

    boolean isConnected() {
        return factory.getConnection() != null && !factory.getConnection().isDestroyed();
    }

    /** Sends a durable message of random bytes; returns when the server has it on disk. */
    static void send(ClientSession session, ClientProducer producer, int number, int length) throws ActiveMQException {
        byte[] body = new byte[length];
        new SplittableRandom(number).nextBytes(body);
        ClientMessage message = session.createMessage(true);
        message.putIntProperty(NUMBER, number);
        message.putLongProperty(CRC, crc(body));
        message.getBodyBuffer().writeBytes(body);
        producer.send(message);
    }

    static void send(ClientSession session, String queue, int from, int count, int length) throws ActiveMQException {
        try (ClientProducer producer = session.createProducer(queue)) {
            for (int i = from; i < from + count; i++) {
                send(session, producer, i, length);
            }
        }
    }

    /** Receives, checks and acknowledges a message; returns its number, or -1 when none came in time. */
    static int receive(ClientConsumer consumer, int millis) throws ActiveMQException {
        ClientMessage message = consumer.receive(millis);
        if (message == null) {
            return -1;
        }
        byte[] body = new byte[message.getBodyBuffer().readableBytes()];
        message.getBodyBuffer().readBytes(body);
        int number = message.getIntProperty(NUMBER);
        if (message.getLongProperty(CRC) != crc(body)) {
            throw new IllegalStateException("message " + number + " of " + body.length + " bytes is damaged");
        }
        message.individualAcknowledge();
        return number;
    }

    static int receive(ClientConsumer consumer) throws ActiveMQException {
        return receive(consumer, PATIENCE_MILLIS);
    }

    private static long crc(byte[] body) {
        CRC32C crc = new CRC32C();
        crc.update(body);
        return crc.getValue();
    }

    @Override
    public void close() {
        factory.close();
        locator.close();
    }
}
