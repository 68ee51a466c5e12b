package io.longhaul.agent.publish;

import io.longhaul.storage.Ledger;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Seal;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one publication has sent; may be used from any thread. */
final class Tally {
    private static final Logger LOG = LoggerFactory.getLogger(Tally.class);

    private final long offeredBefore;
    private final AtomicLong offered;
    private final AtomicLong resentPieces;
    private final AtomicLong resentBytes;
    private final AtomicLong safeBytes = new AtomicLong();
    private final Ledger ledger;
    private final OutgoingRecord record;
    private boolean recalled; // guarded by this

    Tally(Ledger ledger, OutgoingRecord record) {
        OutgoingDetail.Counters before = record.detail().counters();
        this.ledger = ledger;
        this.record = record;
        this.recalled = !record.isBegun();
        this.offeredBefore = before.offered();
        this.offered = new AtomicLong(before.offered());
        this.resentPieces = new AtomicLong(before.resentPieces());
        this.resentBytes = new AtomicLong(before.resentBytes());
    }

    /**
     * Counts what an earlier process brought to safety, if that was not done yet; called before a run of this one brings more.
     * Of many pieces it takes its time.
     */
    synchronized void recall(@Nullable Seal seal) {
        if (!recalled) {
            AtomicLong before = new AtomicLong();
            if (seal != null && record.row().state() != TransferState.SENDING) {
                before.set(seal.length());
            } else {
                ledger.forEachPiece(record.row().key(), piece -> before.addAndGet(piece.safe() ? piece.length() : 0));
            }
            safe(before.get());
            recalled = true;
        }
    }

    /** A piece is about to be offered; an earlier process may have offered it already. */
    void offering(long index, int bodyBytes) {
        if (index < offeredBefore) {
            resent(bodyBytes);
        }
        offered.accumulateAndGet(index + 1, Math::max);
    }

    void resent(int bodyBytes) {
        resentPieces.incrementAndGet();
        resentBytes.addAndGet(bodyBytes);
    }

    /** So many bytes are safe, now or since an earlier run. */
    void safe(long contentBytes) {
        safeBytes.addAndGet(contentBytes);
    }

    /** Returns how many bytes are safe, as far as the ledger can tell now. */
    long safeBytes(@Nullable Seal seal) {
        try {
            recall(seal);
        } catch (StorageException e) {
            LOG.debug("transfer {}: what is safe is not known", record.row().transferId(), e);
        }
        return safeBytes.get();
    }

    OutgoingDetail.Counters counters() {
        return new OutgoingDetail.Counters(offered.get(), resentPieces.get(), resentBytes.get());
    }
}
