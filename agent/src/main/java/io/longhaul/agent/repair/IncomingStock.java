package io.longhaul.agent.repair;

import io.longhaul.agent.receive.DeliveredPieces;
import io.longhaul.agent.receive.Holdings;
import io.longhaul.storage.Direction;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Piece;
import io.longhaul.wire.TransferId;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What this agent received: served from the delivered file, or from the hard link that a lease made. */
public final class IncomingStock implements Stock {
    private static final int ARCHIVE_RANK = 0;
    private static final int SUBSCRIBER_RANK = 2;
    private static final Set<TransferState> SERVED = Set.of(
            TransferState.RECEIVING,
            TransferState.COMPLETE,
            TransferState.PLACING,
            TransferState.DELIVERED,
            TransferState.RECEIPTED);

    private final Ledger ledger;
    private final DeliveredPieces pieces;
    private final Holdings holdings;

    public IncomingStock(Ledger ledger, DeliveredPieces pieces, Holdings holdings) {
        this.ledger = ledger;
        this.pieces = pieces;
        this.holdings = holdings;
    }

    @Override
    public Optional<Item> find(TransferId transfer) {
        return rows(transfer.toString())
                .filter(row -> SERVED.contains(row.state()))
                .max(Comparator.comparingLong(holdings::holdThrough))
                .filter(row -> holdings.holdThrough(row) > 0)
                .map(row -> new Item(row, isArchived(row) ? ARCHIVE_RANK : SUBSCRIBER_RANK));
    }

    /** Several subscriptions of this agent may have it. */
    private Stream<TransferRow> rows(String transfer) {
        return ledger.transfers(Direction.INCOMING, transfer).stream();
    }

    /** An archive keeps each transfer in a directory named by its id. */
    private static boolean isArchived(TransferRow row) {
        return row.path().contains("/" + row.transferId() + "/");
    }

    @Override
    public boolean isWhole(Item item) {
        return holdings.holdThrough(item.row()) == Long.MAX_VALUE;
    }

    @Override
    public long through(Item item) {
        return holdings.holdThrough(item.row());
    }

    @Override
    public boolean hold(Item item) {
        return holdings.hold(current(item));
    }

    @Override
    public void release(Item item) {
        rows(item.row().transferId()).forEach(holdings::release);
    }

    private TransferRow current(Item item) {
        return ledger.transfer(item.row().key()).orElse(item.row());
    }

    @Override
    public Piece read(Item item, long index) {
        return pieces.read(current(item), index);
    }
}
