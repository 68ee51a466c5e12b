package io.longhaul.agent.artemis;

import io.longhaul.agent.link.LinkException;
import io.longhaul.wire.Addresses;
import java.util.UUID;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientSession;

/** The queues that an agent has at its broker. */
final class Queues {
    private Queues() {}

    /** Returns a queue that gets a copy of all that its address takes, also while nobody reads it. */
    static QueueConfiguration durable(String queue, String address) {
        return QueueConfiguration.of(queue)
                .setAddress(address)
                .setRoutingType(RoutingType.MULTICAST)
                .setDurable(true);
    }

    /** Returns a queue that ends with its connection. */
    static QueueConfiguration fleeting(String queue, String address) {
        return QueueConfiguration.of(queue)
                .setAddress(address)
                .setRoutingType(RoutingType.MULTICAST)
                .setDurable(false)
                .setTemporary(true);
    }

    /** Returns the queue of a topic's questions to holders for an agent, which ends with its connection. */
    static QueueConfiguration holders(String topic, String agent) {
        // a name of its own for each flow: the broker removes the queue of a dead predecessor in its own time
        String unique = UUID.randomUUID().toString().substring(0, 8);
        return fleeting(Addresses.holdersQueue(topic, agent) + "." + unique, Addresses.holders(topic));
    }

    /**
     * Makes a queue of a topic's receipts, which takes a right, and removes it. It has a name of its own, as receipts that wait
     * for an agent stay where they are; and one that is killed in between leaves nothing that would gather them for ever.
     */
    static boolean tryReceipts(ClientSession session, String topic) throws ActiveMQException {
        String name = Addresses.receiptsQueue(topic, "right-" + UUID.randomUUID());
        session.createQueue(fleeting(name, Addresses.receipts(topic)));
        return deleteIfExists(session, name, "queue of receipts of topic " + topic);
    }

    /** Returns a durable queue of one agent, with an address of the same name. */
    static QueueConfiguration inbox(String inbox) {
        return QueueConfiguration.of(inbox)
                .setAddress(inbox)
                .setRoutingType(RoutingType.ANYCAST)
                .setDurable(true);
    }

    /**
     * Returns whether there was such a queue.
     *
     * @param what it is of, in words for people
     */
    static boolean deleteIfExists(ClientSession session, String queue, String what) throws ActiveMQException {
        try {
            session.deleteQueue(SimpleString.of(queue));
            return true;
        } catch (ActiveMQException e) {
            if (e.getType() == ActiveMQExceptionType.ILLEGAL_STATE) {
                throw new LinkException(
                        LinkException.Code.NAME_IN_USE, what + " is served: stop who serves it first", e);
            }
            if (e.getType() != ActiveMQExceptionType.QUEUE_DOES_NOT_EXIST) {
                throw e;
            }
            return false;
        }
    }
}
