package io.longhaul.broker.artemis;

import io.longhaul.wire.Addresses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;

/**
 * Removes queues of receipts that would fill the disk for an agent that does not come back.
 *
 * <h2>Design</h2>
 * Who waits for receipts has a durable queue of all receipts of the topic, which takes them while its agent is away, too, and
 * would for ever. Such a queue may go: a receipt is in its subscriber's ledger, and an agent that comes back makes its queue
 * anew and asks for what it lacks. It goes only when nobody has consumed it for {@link #ABSENCE}, as far as this process has
 * seen, and when what all such queues hold is too much; then the fullest goes first. Queues of links are left alone: to
 * give up a neighbour is for an operator ({@link Removal}).
 *
 * <p>The whole queue goes, and not its oldest receipts: Artemis brings messages from pages into memory while others of the
 * same page are removed, and may deliver them all the same.
 *
 * <p>One look at a time, on threads of the server's; the figures on any.
 */
final class UntakenReceipts {
    static final long PERIOD_MILLIS = 5_000;
    static final Duration ABSENCE = Duration.ofHours(1);

    private final ActiveMQServer server;
    private final long mostBytes;
    private final LongSupplier nanoTime;
    private final QuietLog log;
    private final AtomicBoolean looking = new AtomicBoolean();
    private final Map<Long, Absence> absences = new HashMap<>(); // by queue, as another one may get its name
    private long dropped;
    private volatile Tally.Untaken figures = new Tally.Untaken(0, 0);

    /** Since when nobody was seen to consume, and when the last one before left: somebody may come and go between two looks. */
    private record Absence(long sinceNs, long leftMillis) {}

    /** A queue, with the bytes that were in it at this look. */
    private record Untaken(Queue queue, long bytes) {}

    /** Takes the most bytes that receipts may take which nobody takes. */
    UntakenReceipts(ActiveMQServer server, long mostBytes, LongSupplier nanoTime, QuietLog log) {
        this.server = server;
        this.mostBytes = mostBytes;
        this.nanoTime = nanoTime;
        this.log = log;
    }

    /** Has the server look: a queue takes as long to remove as what is in it takes to read, and the keeper watches the disk. */
    void round() {
        if (server.isActive() && server.getPostOffice() != null && looking.compareAndSet(false, true)) {
            server.getExecutorFactory().getExecutor().execute(() -> {
                try {
                    look();
                } finally {
                    looking.set(false);
                }
            });
        }
    }

    /** Looks at all queues of receipts once. */
    void look() {
        List<Untaken> untaken = untaken();
        untaken.sort(Comparator.comparing(Untaken::bytes).reversed());
        long bytes = stored(untaken);
        while (bytes > mostBytes && remove(untaken.get(0).queue(), bytes)) {
            untaken.remove(0);
            bytes = stored(untaken);
        }
        figures = new Tally.Untaken(bytes, dropped);
    }

    private List<Untaken> untaken() {
        long nowNs = nanoTime.getAsLong();
        Set<Long> unattended = new HashSet<>();
        List<Untaken> untaken = new ArrayList<>();
        LocalQueues.of(server).forEach(queue -> {
            if (queue.getName().toString().startsWith(Addresses.RECEIPTS_PREFIX) && queue.getConsumerCount() == 0) {
                unattended.add(queue.getID());
                if (nowNs - absence(queue, nowNs).sinceNs() >= ABSENCE.toNanos()) {
                    untaken.add(new Untaken(queue, queue.getPersistentSize()));
                }
            }
        });
        absences.keySet().retainAll(unattended);
        return untaken;
    }

    private Absence absence(Queue queue, long nowNs) {
        Absence now = new Absence(nowNs, queue.getConsumerRemovedTimestamp());
        return absences.merge(
                queue.getID(), now, (known, seen) -> known.leftMillis() == seen.leftMillis() ? known : seen);
    }

    /** A receipt is stored once for all queues of its topic, and of these the fullest has what the others have. */
    private static long stored(List<Untaken> queues) {
        Map<SimpleString, Long> most = new HashMap<>();
        queues.forEach(each -> most.merge(each.queue().getAddress(), each.bytes(), Math::max));
        return most.values().stream().mapToLong(Long::longValue).sum();
    }

    private boolean remove(Queue queue, long bytes) {
        SimpleString name = queue.getName();
        long receipts = queue.getMessageCount();
        try {
            server.destroyQueue(name, null, true, true, false); // who comes while that lasts has to open it anew
        } catch (Exception e) { // somebody has come, or the disk fails
            log.warn("untaken " + name, name + ": receipts that nobody takes could not be removed: " + e);
            return false;
        }
        Queue there = server.locateQueue(name); // perhaps another one, of an agent that is back
        if (there != null && there.getID().equals(queue.getID())) { // the server tries once and ignores who asks again
            log.warn("untaken " + name, name + ": is still there after its removal; launch this broker again");
            return false;
        }
        dropped += receipts;
        log.warn(
                "untaken " + name,
                name + ": removed with " + receipts + " receipts: nobody has taken any for " + ABSENCE.toHours()
                        + " h, and such receipts had " + bytes + " bytes, with a limit of " + mostBytes
                        + "; who comes back asks subscribers for what it lacks");
        return true;
    }

    /** Returns what was found and dropped up to the last look. Any thread. */
    Tally.Untaken figures() {
        return figures;
    }
}
