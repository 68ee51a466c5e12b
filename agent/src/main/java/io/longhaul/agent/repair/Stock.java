package io.longhaul.agent.repair;

import io.longhaul.storage.TransferRow;
import io.longhaul.wire.Piece;
import io.longhaul.wire.TransferId;
import java.util.Optional;

/** One kind of transfers that an agent can serve repairs of; may be called from any thread. */
public interface Stock {

    /** What of a transfer is here. */
    record Item(TransferRow row, int rank) {}

    /** Returns the transfer if all of it, or a beginning of it, can be served. */
    Optional<Item> find(TransferId transfer);

    /** Whether every piece can be served now, so that a repair may be offered. */
    boolean isWhole(Item item);

    /** Returns how many pieces from index 0 on can be promised; {@link Long#MAX_VALUE} for all, 0 for none. */
    long through(Item item);

    /** Makes sure that the bytes stay, whatever becomes of the delivered file; false when that cannot be done. */
    boolean hold(Item item);

    /** Ends what {@link #hold} did. */
    void release(Item item);

    /**
     * Reads a piece again, compared with its checksum in the ledger; throws {@link io.longhaul.agent.AgentException}
     * with the reason when it cannot be served.
     */
    Piece read(Item item, long index);
}
