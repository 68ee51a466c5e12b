package io.longhaul.broker.artemis;

import io.longhaul.wire.Addresses;
import java.util.HashSet;
import java.util.Set;
import org.apache.activemq.artemis.api.core.ActiveMQNonExistentQueueException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.postoffice.Binding;
import org.apache.activemq.artemis.core.postoffice.QueueBinding;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Manifests and seals of a dropped backlog, aside of the pages that they would keep on disk.
 *
 * <p>For the subscription {@code lh.sub.TOPIC@NAME} they wait in the durable queue {@code lh.parked.TOPIC@NAME}, for
 * another queue, that of a link, in {@code lh.parked.-QUEUE}. A move is one transaction of the server, so that a frame is
 * always in one of the two. Keeper's thread only.
 */
final class ParkedFrames {
    private static final Logger LOG = LoggerFactory.getLogger(ParkedFrames.class);
    static final String PREFIX = Addresses.PREFIX + "parked.";
    private static final int BATCH = 500;
    private final ActiveMQServer server;

    ParkedFrames(ActiveMQServer server) {
        this.server = server;
    }

    /** Moves what is no piece of these transfers, or was aside before, aside; returns how many frames that were. */
    int take(Queue subscription, Set<String> transfers) throws Exception {
        SimpleString aside = aside(subscription.getName());
        server.createQueue(
                QueueConfiguration.of(aside)
                        .setAddress(aside)
                        .setRoutingType(RoutingType.ANYCAST)
                        .setDurable(true)
                        .setAutoDelete(false),
                true);
        Binding binding = server.getPostOffice().getBinding(aside);
        // what was given back to a consumer that took nothing more has no pieces by which it would be known again
        Choice words = new Choice(message -> !FrameProperties.isPiece(message)
                && (aside.equals(message.getObjectProperty(Message.HDR_ORIGINAL_QUEUE))
                        || FrameProperties.transfer(message)
                                .map(transfers::contains)
                                .orElse(false)));
        return subscription.moveReferences(BATCH, words, aside, false, -1, binding);
    }

    /** Moves everything back, in order, to the tail of the subscription's queue. */
    void giveBack(Queue subscription) throws Exception {
        Queue aside = server.locateQueue(aside(subscription.getName()));
        if (aside != null && aside.getMessageCount() > 0) {
            Binding binding = server.getPostOffice().getBinding(subscription.getName());
            aside.moveReferences(BATCH, null, subscription.getAddress(), false, -1, binding);
        }
    }

    /** Removes what waits for queues that are no more. */
    void retain(Set<String> queues) throws Exception {
        Set<String> kept = new HashSet<>();
        queues.forEach(queue -> kept.add(aside(SimpleString.of(queue)).toString()));
        for (SimpleString address : Set.copyOf(server.getPostOffice().getAddresses())) {
            if (address.toString().startsWith(PREFIX)
                    && !kept.contains(address.toString())
                    && server.getPostOffice().getBinding(address) instanceof QueueBinding) {
                remove(address);
            }
        }
    }

    /** The removal of a neighbour removes what lies aside for it, too, and may be first. */
    private void remove(SimpleString aside) throws Exception {
        try {
            server.destroyQueue(aside, null, false);
        } catch (ActiveMQNonExistentQueueException e) {
            LOG.debug("queue {} was gone before", aside);
        }
    }

    /** Returns the name of the queue in which manifests and seals of another one wait. */
    static SimpleString aside(SimpleString queue) {
        String name = queue.toString();
        return SimpleString.of(
                name.startsWith(Addresses.SUBSCRIPTION_PREFIX)
                        ? PREFIX + name.substring(Addresses.SUBSCRIPTION_PREFIX.length())
                        : PREFIX + "-" + name);
    }
}
