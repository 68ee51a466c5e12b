package io.longhaul.agent.publish;

import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes acknowledgements of pieces to the ledger in batches; called on the link's threads.
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

    /** Hands what is pending to the ledger; what a full disk turns away waits for the next time. */
    private void flush() {
        List<PieceRow> batch = take();
        if (batch.isEmpty()) {
            return;
        }
        try {
            record.saveLater(changes(batch), detail -> detail.withCounters(counters.get()))
                    .whenComplete((done, failure) -> {
                        if (failure != null) {
                            notYet(batch, failure);
                        }
                    });
        } catch (StorageException e) {
            notYet(batch, e);
        }
    }

    private void notYet(List<PieceRow> batch, Throwable failure) {
        LOG.debug("{} acknowledgements not recorded yet", batch.size(), failure);
        giveBack(batch);
    }

    private synchronized List<PieceRow> take() {
        List<PieceRow> batch = pending;
        pending = new ArrayList<>();
        return batch;
    }

    private synchronized void giveBack(List<PieceRow> batch) {
        pending.addAll(batch);
    }

    /** Returns what is pending as changes, for a commit of somebody else. */
    List<LedgerChange> drain() {
        List<PieceRow> batch = take();
        return batch.isEmpty() ? entries.drain() : changes(batch);
    }

    /** Entries go along, so that a piece in the ledger always has the entries that it is made of. */
    private List<LedgerChange> changes(List<PieceRow> batch) {
        OutgoingDetail.Origin origin = record.detail().origin();
        long key = record.row().key();
        List<LedgerChange> changes = new ArrayList<>(entries.drain());
        changes.add(
                origin.spool()
                        ? new LedgerChange.MarkSafe(
                                key, batch.stream().map(PieceRow::index).toList())
                        : new LedgerChange.PutPieces(key, batch));
        return changes;
    }
}
