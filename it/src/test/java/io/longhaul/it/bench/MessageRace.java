package io.longhaul.it.bench;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.SendAcknowledgementHandler;
import org.apache.activemq.artemis.api.core.client.ServerLocator;

/**
 * Durable messages of 1 MiB from one connection through a broker to another one: the clock stops when the last is
 * acknowledged by the broker as forced, received and acknowledged.
 */
final class MessageRace {
    private static final int MESSAGE_BYTES = 1024 * 1024;
    private static final int IN_FLIGHT = 32;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String QUEUE = "bench";

    private MessageRace() {}

    /** Returns the seconds. */
    static double run(TransportConfiguration transport, int messages) throws Exception {
        try (ServerLocator locator = ActiveMQClient.createServerLocatorWithoutHA(transport)) {
            locator.setMinLargeMessageSize(16 * MESSAGE_BYTES)
                    .setConfirmationWindowSize(16 * MESSAGE_BYTES)
                    .setConsumerWindowSize(IN_FLIGHT * MESSAGE_BYTES)
                    .setProducerWindowSize(-1)
                    .setBlockOnDurableSend(false)
                    .setAckBatchSize(0);
            try (ClientSessionFactory sending = locator.createSessionFactory();
                    ClientSessionFactory receiving = locator.createSessionFactory();
                    ClientSession sender = sending.createSession(true, true);
                    ClientSession receiver = receiving.createSession(true, true)) {
                receiver.createQueue(QueueConfiguration.of(QUEUE)
                        .setRoutingType(RoutingType.ANYCAST)
                        .setDurable(true));
                receiver.start();
                long startNanos = System.nanoTime();
                CompletableFuture<Void> received = CompletableFuture.runAsync(() -> receive(receiver, messages));
                send(sender, messages);
                received.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                double seconds = (System.nanoTime() - startNanos) / 1e9;
                receiver.deleteQueue(QUEUE);
                return seconds;
            }
        }
    }

    private static void send(ClientSession session, int messages) throws Exception {
        byte[] body = new byte[MESSAGE_BYTES];
        Semaphore room = new Semaphore(IN_FLIGHT);
        session.setSendAcknowledgementHandler(new SendAcknowledgementHandler() {
            @Override
            public void sendAcknowledged(Message message) {
                room.release();
            }
        });
        try (ClientProducer producer = session.createProducer(QUEUE)) {
            for (int i = 0; i < messages; i++) {
                awaitRoom(room, 1);
                ClientMessage message = session.createMessage(true);
                message.getBodyBuffer().writeBytes(body);
                producer.send(message);
            }
            awaitRoom(room, IN_FLIGHT);
        }
    }

    private static void awaitRoom(Semaphore room, int places) throws InterruptedException {
        if (!room.tryAcquire(places, PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("the broker acknowledged nothing for " + PATIENCE);
        }
    }

    private static void receive(ClientSession session, int messages) {
        try (ClientConsumer consumer = session.createConsumer(QUEUE)) {
            for (int i = 0; i < messages; i++) {
                ClientMessage message = consumer.receive(PATIENCE.toMillis());
                if (message == null || message.getBodySize() != MESSAGE_BYTES) {
                    throw new AssertionError("message " + i + " of " + messages + ": not received whole");
                }
                message.acknowledge();
            }
        } catch (ActiveMQException e) {
            throw new IllegalStateException(e);
        }
    }
}
