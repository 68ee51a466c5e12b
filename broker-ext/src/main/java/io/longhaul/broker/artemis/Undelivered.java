package io.longhaul.broker.artemis;

import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.server.Consumer;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.utils.collections.LinkedListIterator;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a queue that no consumer has been given, oldest first. Artemis shows those of page files until they are
 * acknowledged, and removes none that a consumer has.
 */
final class Undelivered implements AutoCloseable {
    private final LinkedListIterator<MessageReference> all;
    private final Set<Long> delivering = new HashSet<>();
    private @Nullable Message next;

    Undelivered(Queue queue) {
        queue.getDeliveringMessages().values().forEach(this::leaveOut);
        for (Consumer consumer : queue.getConsumers()) {
            if (consumer instanceof LinkTap tap) {
                leaveOut(tap.underWay());
            }
        }
        all = queue.browserIterator();
    }

    private void leaveOut(List<MessageReference> given) {
        given.forEach(reference -> delivering.add(reference.getMessageID()));
    }

    boolean hasNext() {
        while (next == null && all.hasNext()) {
            MessageReference reference = all.next();
            if (!delivering.contains(reference.getMessageID())) {
                next = reference.getMessage();
            }
        }
        return next != null;
    }

    Message next() {
        Message found = hasNext() ? next : null;
        if (found == null) {
            throw new NoSuchElementException();
        }
        next = null;
        return found;
    }

    @Override
    public void close() {
        all.close();
    }
}
