package io.longhaul.broker.artemis;

import io.longhaul.wire.Addresses;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.activemq.artemis.api.core.ActiveMQNonExistentQueueException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.postoffice.Binding;
import org.apache.activemq.artemis.core.postoffice.QueueBinding;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.impl.AckReason;
import org.apache.activemq.artemis.core.server.impl.RoutingContextImpl;
import org.apache.activemq.artemis.core.transaction.impl.TransactionImpl;
import org.apache.activemq.artemis.utils.collections.LinkedListIterator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Manifests and seals of a dropped backlog, aside of the pages that they would keep on disk.
 *
 * <p>For the subscription {@code lh.sub.TOPIC@NAME} they wait in the durable queue {@code lh.parked.TOPIC@NAME}, for
 * another queue, that of a link, in {@code lh.parked.-QUEUE}, many in one message ({@link FramePack}): for each small file
 * there are two of them. What goes is on disk in the other queue before it leaves the one. Keeper's thread only.
 */
final class ParkedFrames {
    private static final Logger LOG = LoggerFactory.getLogger(ParkedFrames.class);
    static final String PREFIX = Addresses.PREFIX + "parked.";
    private static final int BATCH = 500;
    private static final int MOST_FRAMES = 50_000; // at once
    private final ActiveMQServer server;

    ParkedFrames(ActiveMQServer server) {
        this.server = server;
    }

    /**
     * Copies what is no piece of these transfers, or was aside before, aside, a few hundred frames to a message; durable when it
     * returns. Returns the numbers of the messages that may go now.
     *
     * @param mostBytes how much of the queue is looked at
     */
    Set<Long> copy(Queue subscription, Set<String> transfers, long mostBytes) throws Exception {
        SimpleString aside = aside(subscription.getName());
        Set<Long> copied = new HashSet<>();
        List<Message> frames = new ArrayList<>();
        long bytes = 0;
        long read = 0;
        try (Undelivered messages = new Undelivered(subscription)) {
            while (messages.hasNext() && read <= mostBytes && copied.size() < MOST_FRAMES) {
                Message message = messages.next();
                read += message.getPersistentSize();
                if (isToCopy(message, transfers, aside)) {
                    frames.add(message);
                    copied.add(message.getMessageID());
                    bytes += FramePack.bytes(message);
                }
                if (bytes >= FramePack.MOST_BYTES) {
                    store(aside, frames);
                    frames.clear();
                    bytes = 0;
                }
            }
        }
        store(aside, frames);
        server.getStorageManager().waitOnOperations();
        return copied;
    }

    private static boolean isToCopy(Message message, Set<String> transfers, SimpleString aside) {
        // what was given back to a consumer that took nothing more has no pieces by which it would be known again; what
        // only
        // passes a relay that keeps nothing stays as it is
        return !FrameProperties.isPiece(message)
                && message.isDurable()
                && !message.isLargeMessage()
                && (aside.equals(message.getObjectProperty(Message.HDR_ORIGINAL_QUEUE))
                        || FrameProperties.transfer(message)
                                .map(transfers::contains)
                                .orElse(false));
    }

    private void store(SimpleString aside, List<Message> frames) throws Exception {
        if (frames.isEmpty()) {
            return;
        }
        server.createQueue(
                QueueConfiguration.of(aside)
                        .setAddress(aside)
                        .setRoutingType(RoutingType.ANYCAST)
                        .setDurable(true)
                        .setAutoDelete(false),
                true);
        route(
                List.of(FramePack.pack(server.getStorageManager().generateID(), aside, frames)),
                server.getPostOffice().getBinding(aside));
    }

    /** All of them, or none. */
    private void route(List<Message> messages, @Nullable Binding to) throws Exception {
        if (to == null) {
            throw new IllegalStateException("a queue was removed while frames were moved to it");
        }
        TransactionImpl transaction = new TransactionImpl(server.getStorageManager());
        for (Message message : messages) {
            server.getPostOffice().route(message, new RoutingContextImpl(transaction), false, false, to);
        }
        transaction.commit();
    }

    /**
     * Moves frames back, in order, to the tail of the subscription's queue: so many bytes, the others have their turn when these
     * are taken. One that a crash leaves both here and there comes twice, which harms nobody.
     */
    void giveBack(Queue subscription, long mostBytes) throws Exception {
        Queue aside = server.locateQueue(aside(subscription.getName()));
        if (mostBytes <= 0 || aside == null || aside.getMessageCount() == 0) {
            return;
        }
        Binding binding = server.getPostOffice().getBinding(subscription.getName());
        Set<Long> given = new HashSet<>();
        long bytes = 0;
        try (LinkedListIterator<MessageReference> references = aside.browserIterator()) {
            while (references.hasNext() && bytes < mostBytes) {
                Message message = references.next().getMessage();
                List<Message> frames = frames(message, aside.getName());
                for (Message frame : frames) {
                    frame.setMessageID(server.getStorageManager().generateID());
                    frame.setAddress(subscription.getAddress());
                    frame.putStringProperty(Message.HDR_ORIGINAL_QUEUE, aside.getName());
                    frame.reencode();
                    bytes += frame.getPersistentSize();
                }
                route(frames, binding);
                given.add(message.getMessageID());
            }
        }
        server.getStorageManager().waitOnOperations();
        aside.deleteMatchingReferences(
                BATCH, new Choice(message -> given.contains(message.getMessageID())), AckReason.NORMAL);
    }

    /** Returns copies of what lies in a message; one of an older broker is a frame by itself. */
    private static List<Message> frames(Message message, SimpleString aside) {
        if (!FramePack.isPack(message)) {
            return List.of(message.copy());
        }
        try {
            return FramePack.unpack(message);
        } catch (IOException | RuntimeException e) {
            List<Message> lost = FramePack.lost(message);
            LOG.error(
                    "damage found: {}: manifests and seals of {} transfers cannot be read: {}; the subscriber asks for them",
                    aside,
                    lost.size(),
                    e.toString());
            return lost;
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
