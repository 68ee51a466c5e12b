package io.longhaul.broker.artemis;

import io.longhaul.wire.TransferId;
import io.longhaul.wire.WireException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.server.Queue;

/**
 * Which transfers of a backlog holders are asked about next: those at its head, but for those that were asked about in vain,
 * which are passed over for a while: somebody may hold them again. Keeper's thread only.
 */
final class NextTransfers {
    private static final int MOST_TRANSFERS = 1000;
    private static final int MOST_UNHELD = 10_000;
    private static final int MOST_READ = 4; // times the limit
    private static final long PASSED_OVER_NS = Duration.ofMinutes(10).toNanos();

    private final long limitBytes;
    private final Map<String, PassedOver> unheld = new HashMap<>(); // by queue

    private record PassedOver(Set<TransferId> transfers, long sinceNs) {
        boolean isOver(long nowNs) {
            return nowNs - sinceNs > PASSED_OVER_NS || transfers.size() > MOST_UNHELD;
        }
    }

    /** Takes how many bytes a subscription may leave behind. */
    NextTransfers(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Returns those of a queue, oldest first. */
    List<TransferId> of(Queue queue, long nowNs) throws Exception {
        PassedOver over = unheld.computeIfPresent(
                queue.getName().toString(), (name, passed) -> passed.isOver(nowNs) ? null : passed);
        List<TransferId> others = over == null ? List.of() : atHead(queue, over.transfers());
        return others.isEmpty() ? atHead(queue, Set.of()) : others;
    }

    /** Passes over what nobody promises. */
    void passOver(String queue, List<TransferId> transfers, long nowNs) {
        unheld.computeIfAbsent(queue, none -> new PassedOver(new HashSet<>(), nowNs))
                .transfers()
                .addAll(transfers);
    }

    boolean isPassingOver(String queue) {
        return unheld.containsKey(queue);
    }

    /** Forgets all queues but these. */
    void retain(Set<String> queues) {
        unheld.keySet().retainAll(queues);
    }

    /** Returns the most bytes of a queue that are read. */
    long mostBytes() {
        return MOST_READ * limitBytes;
    }

    /** Reads no more of a backlog than the limit, but for what is passed over: that much goes, the rest has its turn. */
    private List<TransferId> atHead(Queue queue, Set<TransferId> over) throws Exception {
        Set<TransferId> found = new LinkedHashSet<>();
        long bytes = 0;
        long read = 0;
        try (Undelivered messages = new Undelivered(queue)) {
            while (messages.hasNext() && found.size() < MOST_TRANSFERS && bytes <= limitBytes && read <= mostBytes()) {
                Message message = messages.next();
                // of one without pieces, too: its manifest and seal would keep this from what lies behind them
                Optional<TransferId> transfer =
                        FrameProperties.transfer(message).flatMap(NextTransfers::parse);
                read += message.getPersistentSize();
                if (transfer.filter(over::contains).isEmpty()) {
                    bytes += message.getPersistentSize();
                    transfer.ifPresent(found::add);
                }
            }
        }
        return List.copyOf(found);
    }

    private static Optional<TransferId> parse(String id) {
        try {
            return Optional.of(TransferId.parse(id));
        } catch (WireException e) {
            return Optional.empty();
        }
    }
}
