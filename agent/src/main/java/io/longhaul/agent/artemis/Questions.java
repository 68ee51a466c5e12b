package io.longhaul.agent.artemis;

import io.longhaul.agent.link.Link;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Frame;
import io.longhaul.wire.NetworkAnswer;
import io.longhaul.wire.NetworkQuery;
import io.longhaul.wire.RemovalAnswer;
import io.longhaul.wire.RemovalRequest;
import io.longhaul.wire.TopicAnswer;
import io.longhaul.wire.TopicQuery;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.jspecify.annotations.Nullable;

/** Questions to the broker at the other end of one connection, and its answers; one at a time. */
final class Questions {
    private static final long ANSWER_MILLIS = 15_000;

    private final String address = Addresses.ANSWER_PREFIX + UUID.randomUUID();
    private @Nullable ClientConsumer answers;

    /** Asks who subscribes to a topic. */
    TopicAnswer topic(ClientSession session, String topic) throws ActiveMQException {
        return ask(
                session,
                new TopicQuery(topic, address),
                frame -> frame instanceof TopicAnswer answer && answer.topic().equals(topic)
                        ? Optional.of(answer)
                        : Optional.empty());
    }

    /** Asks what the broker knows of the network. */
    NetworkAnswer network(ClientSession session) throws ActiveMQException {
        return ask(
                session,
                new NetworkQuery(address),
                frame -> frame instanceof NetworkAnswer answer ? Optional.of(answer) : Optional.empty());
    }

    /** Has the broker take a neighbour out of the network. */
    RemovalAnswer removal(ClientSession session, String broker, boolean force) throws ActiveMQException {
        return ask(
                session,
                new RemovalRequest(broker, force, address),
                frame ->
                        frame instanceof RemovalAnswer answer && answer.broker().equals(broker)
                                ? Optional.of(answer)
                                : Optional.empty());
    }

    /** What is no answer to this question answers an earlier one, which was given up. */
    private <T> T ask(ClientSession session, Frame question, Function<Frame, Optional<T>> answer)
            throws ActiveMQException {
        ClientConsumer consumer = answers(session);
        ClientMessage message = Messages.encode(question, "", Link.NORMAL_PRIORITY);
        message.setDurable(false);
        try (ClientProducer producer = session.createProducer()) {
            producer.send(SimpleString.of(Addresses.BROKER), message);
        }
        while (true) {
            ClientMessage next = consumer.receive(ANSWER_MILLIS);
            if (next == null) {
                throw new ActiveMQException(
                        ActiveMQExceptionType.CONNECTION_TIMEDOUT, "no answer within " + ANSWER_MILLIS + " ms");
            }
            next.acknowledge();
            Optional<T> found = Messages.decode(next, next).frame().flatMap(answer);
            if (found.isPresent()) {
                return found.get();
            }
        }
    }

    private ClientConsumer answers(ClientSession session) throws ActiveMQException {
        ClientConsumer open = answers;
        if (open == null) {
            session.createQueue(QueueConfiguration.of(address)
                    .setAddress(address)
                    .setRoutingType(RoutingType.ANYCAST)
                    .setDurable(false)
                    .setTemporary(true));
            open = session.createConsumer(address);
            answers = open;
        }
        return open;
    }
}
