package io.longhaul.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.wire.Envelope;
import io.longhaul.wire.Frame;
import io.longhaul.wire.FrameCodec;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.SendAcknowledgementHandler;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnectorFactory;

/** A plain Artemis core client with the settings that an agent uses; one session. */
final class Client implements AutoCloseable {
    static final String ANSWER = "lh.answer.client";
    private static final int WINDOW = 32 * 1024 * 1024;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ServerLocator locator;
    private final ClientSessionFactory factory;
    final ClientSession session;
    private final ClientProducer producer;

    private Client(ServerLocator locator, String user, String password, Duration patience) throws Exception {
        this.locator = locator;
        locator.setMinLargeMessageSize(WINDOW / 2)
                .setConfirmationWindowSize(WINDOW / 2)
                .setProducerWindowSize(-1)
                .setConsumerWindowSize(WINDOW)
                .setBlockOnDurableSend(false)
                .setBlockOnAcknowledge(true)
                .setConnectionTTL(15_000)
                .setClientFailureCheckPeriod(5_000)
                .setReconnectAttempts(0)
                .setCallTimeout(patience.toMillis());
        factory = locator.createSessionFactory();
        session = factory.createSession(user, password, false, true, true, false, 0);
        producer = session.createProducer();
        session.start();
    }

    static Client connect(int port) throws Exception {
        return connect(port, "", "", Map.of());
    }

    /** Gives the broker so long to answer, for one that will not. */
    static Client connect(int port, Duration patience) throws Exception {
        return connect(port, "", "", Map.of(), patience);
    }

    static Client connect(int port, String user, String password, Map<String, Object> transport) throws Exception {
        return connect(port, user, password, transport, PATIENCE);
    }

    private static Client connect(
            int port, String user, String password, Map<String, Object> transport, Duration patience) throws Exception {
        Map<String, Object> parameters = new HashMap<>(transport);
        parameters.put("host", "127.0.0.1");
        parameters.put("port", port);
        ServerLocator locator = ActiveMQClient.createServerLocatorWithoutHA(
                new TransportConfiguration(NettyConnectorFactory.class.getName(), parameters));
        try {
            return new Client(locator, user, password, patience);
        } catch (Exception e) {
            locator.close();
            throw e;
        }
    }

    Client owner(String owner) throws ActiveMQException {
        session.addMetaData("lh-owner", owner);
        return this;
    }

    /** Opens one more session on the same connection. */
    ClientSession another(String user, String password) throws ActiveMQException {
        return factory.createSession(user, password, false, true, true, false, 0);
    }

    /** Makes the durable queue of a subscription as an agent does. */
    Client subscription(String topic, String name) throws ActiveMQException {
        session.createQueue(QueueConfiguration.of("lh.sub." + topic + "@" + name)
                .setAddress("lh.topic." + topic)
                .setRoutingType(RoutingType.MULTICAST)
                .setDurable(true));
        return this;
    }

    ClientMessage message(String type, String transfer, long index, byte[] body) {
        ClientMessage message = session.createMessage(true);
        message.putIntProperty("lh_version", 1);
        message.putStringProperty("lh_type", type);
        message.putStringProperty("lh_transfer", transfer);
        if (type.equals("piece")) {
            message.putLongProperty("lh_index", index);
        }
        message.putStringProperty(Message.HDR_DUPLICATE_DETECTION_ID.toString(), transfer + "/" + type + index);
        message.getBodyBuffer().writeBytes(body);
        return message;
    }

    /** Sends without waiting; the future ends when the broker has it on disk, or fails with its refusal. */
    CompletableFuture<Void> send(String address, ClientMessage message) {
        CompletableFuture<Void> outcome = new CompletableFuture<>();
        try {
            producer.send(SimpleString.of(address), message, new SendAcknowledgementHandler() {
                @Override
                public void sendAcknowledged(Message sent) {
                    outcome.complete(null);
                }

                @Override
                public void sendFailed(Message sent, Exception e) {
                    outcome.completeExceptionally(e);
                }
            });
        } catch (ActiveMQException e) {
            outcome.completeExceptionally(e);
        }
        return outcome;
    }

    void sendAndWait(String address, ClientMessage message) throws Exception {
        send(address, message).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Returns the next message, which must come. */
    static ClientMessage next(ClientConsumer consumer) throws ActiveMQException {
        ClientMessage message = consumer.receive(PATIENCE.toMillis());
        assertThat(message).as("the next message").isNotNull();
        return message;
    }

    @Override
    public void close() {
        if (factory.getConnection() == null || factory.getConnection().isDestroyed()) {
            factory.cleanup();
        } else {
            factory.close();
        }
        locator.close();
    }

    /** Returns what the broker answers to a question that asks for it at {@link #ANSWER}. */
    <T extends Frame> T ask(Frame question, Class<T> answer) throws Exception {
        session.createQueue(QueueConfiguration.of(ANSWER)
                .setRoutingType(RoutingType.ANYCAST)
                .setDurable(false)
                .setTemporary(true));
        Envelope envelope = FrameCodec.encode(question);
        ClientMessage message = session.createMessage(false);
        envelope.properties().forEach(message::putObjectProperty);
        message.getBodyBuffer().writeBytes(envelope.body());
        try (ClientConsumer answers = session.createConsumer(ANSWER)) {
            sendAndWait("lh.broker", message);
            ClientMessage received = next(answers);
            byte[] body = new byte[received.getBodySize()];
            received.getBodyBuffer().readBytes(body);
            return FrameCodec.fromJson(body, answer);
        } finally {
            session.deleteQueue(ANSWER);
        }
    }
}
