package io.longhaul.agent.publish;

import io.longhaul.storage.EntryRow;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Writes a tree's entries to the ledger in batches, so that pieces can be made again for repairs; and, when a transfer
 * goes on, compares them with those of the run before.
 *
 * <p>Filled by the thread that reads, drained by any.
 */
final class EntryLog implements Consumer<EntryRow> {
    private static final int BATCH = 256;

    private final Ledger ledger;
    private final OutgoingRecord record;
    private final boolean comparing;
    private final Runnable whenMany;
    private List<EntryRow> pending = new ArrayList<>(); // guarded by this

    /** Takes what has the pending entries drained soon. */
    EntryLog(Ledger ledger, OutgoingRecord record, boolean comparing, Runnable whenMany) {
        this.ledger = ledger;
        this.record = record;
        this.comparing = comparing;
        this.whenMany = whenMany;
    }

    @Override
    public void accept(EntryRow entry) {
        if (comparing) {
            Optional<EntryRow> before = ledger.entry(record.row().key(), entry.number());
            if (before.isPresent() && !Arrays.equals(before.get().encoded(), entry.encoded())) {
                throw new SourceException(
                        "source " + SourceNames.shown(record.row().path()) + " changed since the transfer began: entry "
                                + entry.number() + " is another now");
            }
        }
        boolean full;
        synchronized (this) {
            pending.add(entry);
            full = pending.size() >= BATCH;
        }
        // Spooled entries promise something: they go with the commit of their pieces.
        if (full && !record.detail().origin().spool()) {
            whenMany.run();
        }
    }

    /** Returns what is pending as changes, for a commit of somebody else. */
    synchronized List<LedgerChange> drain() {
        List<EntryRow> batch = pending;
        pending = new ArrayList<>();
        return batch.isEmpty()
                ? List.of()
                : List.of(new LedgerChange.PutEntries(record.row().key(), batch));
    }
}
