package io.longhaul.agent.publish;

import io.longhaul.storage.Ledger;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Seal;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What one publication has sent; may be used from any thread. */
final class Tally {
    private final long offeredBefore;
    private final AtomicLong offered;
    private final AtomicLong resentPieces;
    private final AtomicLong resentBytes;
    private final AtomicLong safeBytes = new AtomicLong();

    Tally(OutgoingDetail.Counters before) {
        this.offeredBefore = before.offered();
        this.offered = new AtomicLong(before.offered());
        this.resentPieces = new AtomicLong(before.resentPieces());
        this.resentBytes = new AtomicLong(before.resentBytes());
    }

    /** Counts what an earlier process brought to safety; called before the first run of this one. */
    void recall(Ledger ledger, OutgoingRecord record, @Nullable Seal seal) {
        if (seal != null && record.row().state() == TransferState.SENT) {
            safe(seal.length());
            return;
        }
        ledger.forEachPiece(record.row().key(), piece -> {
            if (piece.safe()) {
                safe(piece.length());
            }
        });
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

    long safeBytes() {
        return safeBytes.get();
    }

    OutgoingDetail.Counters counters() {
        return new OutgoingDetail.Counters(offered.get(), resentPieces.get(), resentBytes.get());
    }
}
