package io.longhaul.broker.artemis;

import io.longhaul.wire.Addresses;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import org.apache.activemq.artemis.core.filter.Filter;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.impl.AckReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drops parcels and questions to holders that have waited here for too long. Who has a question asks again until somebody
 * answers: of what is gathered for a neighbour or a holder that is away, only the last is of use to anybody.
 *
 * <p>Design note: messages do not carry when they expire, because a time that one machine wrote and another reads drops
 * everything where the clocks differ. A message's id tells its age instead: ids only grow, so what is below an id that was the
 * next one a minute ago has been here for longer. Keeper's thread only.
 */
final class StaleMessages {
    static final long PERIOD_MILLIS = 5_000;
    static final Duration LIFE = Duration.ofSeconds(60);
    private static final int FLUSH_LIMIT = 1000;
    private static final Logger LOG = LoggerFactory.getLogger(StaleMessages.class);

    private final ActiveMQServer server;
    private final LongSupplier nanoTime;
    private final Deque<Mark> marks = new ArrayDeque<>();

    /** Which id was the next one at a time. */
    private record Mark(long atNs, long id) {}

    StaleMessages(ActiveMQServer server, LongSupplier nanoTime) {
        this.server = server;
        this.nanoTime = nanoTime;
    }

    /** Looks at all queues of either once. */
    void round() {
        if (!server.isActive() || server.getPostOffice() == null) {
            return;
        }
        long nowNs = nanoTime.getAsLong();
        marks.add(new Mark(nowNs, server.getStorageManager().generateID()));
        long bound = 0;
        while (!marks.isEmpty() && nowNs - marks.getFirst().atNs() >= LIFE.toNanos()) {
            bound = marks.removeFirst().id();
        }
        long oldest = bound;
        if (oldest > 0) {
            drop(new Choice(message -> message.getMessageID() < oldest));
        }
    }

    private void drop(Filter old) {
        LocalQueues.of(server)
                .filter(queue -> isPassing(queue.getName().toString(), String.valueOf(queue.getAddress()))
                        && queue.getMessageCount() > 0)
                .forEach(queue -> drop(queue, old));
    }

    private static boolean isPassing(String queue, String address) {
        return Addresses.isEndpoint(queue)
                || queue.startsWith(Addresses.POST_PREFIX)
                || address.startsWith(Addresses.HOLDERS_PREFIX);
    }

    private static void drop(Queue queue, Filter old) {
        try {
            int dropped = queue.deleteMatchingReferences(FLUSH_LIMIT, old, AckReason.EXPIRED);
            if (dropped > 0) {
                LOG.debug("{}: dropped {} messages that nobody took within {}", queue.getName(), dropped, LIFE);
            }
        } catch (Exception e) {
            LOG.warn("{}: old messages could not be dropped: {}", queue.getName(), e.toString());
        }
    }
}
