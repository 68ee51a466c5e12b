package io.longhaul.agent.publish;

import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.PieceRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes acknowledgements of pieces, and a tree's entries, to the ledger in batches; may be called from any thread.
 *
 * <p>They promise nothing: what a crash loses of them is sent again, and dropped by who has it already.
 */
final class AckLog {
    private static final Logger LOG = LoggerFactory.getLogger(AckLog.class);
    private static final int BATCH = 64;
    private static final Duration LINGER = Duration.ofMillis(20);

    private final OutgoingRecord record;
    private final PublisherContext.Delay delay;
    private final EntryLog entries;
    private final Supplier<OutgoingDetail.Counters> counters;
    private List<PieceRow> pending = new ArrayList<>(); // guarded by this
    private boolean lingering; // guarded by this
    private List<LedgerChange> turnedAway = List.of(); // guarded by this: by a full disk, to go again with the next
    private CompletableFuture<Void> underWay = CompletableFuture.completedFuture(null); // guarded by this
    private boolean more; // guarded by this: there is more to hand over after that
    private boolean closed; // guarded by this

    AckLog(
            OutgoingRecord record,
            PublisherContext.Delay delay,
            EntryLog entries,
            Supplier<OutgoingDetail.Counters> counters) {
        this.record = record;
        this.delay = delay;
        this.entries = entries;
        this.counters = counters;
    }

    /** Takes in that the network has the piece. */
    void safe(PieceRow piece) {
        boolean full;
        boolean first;
        synchronized (this) {
            pending.add(piece);
            full = pending.size() >= BATCH;
            first = !lingering;
            lingering = true;
        }
        if (full) {
            flush();
        } else if (first) {
            delay.call(LINGER, this::lingered);
        }
    }

    private void lingered() {
        synchronized (this) {
            lingering = false;
        }
        flush();
    }

    /**
     * Hands what is pending to the ledger, one commit after the other: a piece must not be recorded while its entries are
     * under way and may yet fail.
     */
    void flush() {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        List<LedgerChange> changes;
        synchronized (this) {
            if (closed) {
                return;
            }
            if (!underWay.isDone()) {
                more = true;
                return;
            }
            changes = take();
            if (changes.isEmpty()) {
                return;
            }
            underWay = ended;
        }
        CompletableFuture<Void> saved;
        try {
            saved = record.saveLater(changes, detail -> detail.withCounters(counters.get()));
        } catch (RuntimeException e) {
            saved = CompletableFuture.failedFuture(e);
        }
        saved.whenComplete((done, failure) -> ended(ended, changes, failure));
    }

    private void ended(CompletableFuture<Void> ended, List<LedgerChange> changes, @Nullable Throwable failure) {
        boolean goOn;
        synchronized (this) {
            if (failure != null) {
                LOG.debug("{} changes not recorded yet", changes.size(), failure);
                turnedAway = changes;
            }
            // after a failure the next acknowledgement is soon enough
            goOn = more && failure == null;
            more = false;
            ended.complete(null);
        }
        if (goOn) {
            flush();
        }
    }

    /**
     * Returns what is not in the ledger, for a commit of somebody else; hands nothing over any more. Waits for what is
     * under way, so not on the ledger's thread.
     */
    List<LedgerChange> last() {
        CompletableFuture<Void> running;
        synchronized (this) {
            closed = true;
            running = underWay;
        }
        running.join();
        synchronized (this) {
            return take();
        }
    }

    /**
     * Entries go along, so that a piece in the ledger always has the entries that it is made of. Those of what is spooled are
     * promised with their pieces, by who puts these there.
     */
    private List<LedgerChange> take() {
        boolean spooled = record.detail().origin().spool();
        List<LedgerChange> changes = new ArrayList<>(turnedAway);
        turnedAway = List.of();
        if (!spooled) {
            changes.addAll(entries.drain());
        }
        if (!pending.isEmpty()) {
            long key = record.row().key();
            changes.add(
                    spooled
                            ? new LedgerChange.MarkSafe(
                                    key, pending.stream().map(PieceRow::index).toList())
                            : new LedgerChange.PutPieces(key, pending));
            pending = new ArrayList<>();
        }
        return changes;
    }
}
