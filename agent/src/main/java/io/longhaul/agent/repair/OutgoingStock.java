package io.longhaul.agent.repair;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.publish.OutgoingPieces;
import io.longhaul.storage.Direction;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Piece;
import io.longhaul.wire.Seal;
import io.longhaul.wire.TransferId;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What this agent publishes: served from its source for as long as that is unchanged. */
public final class OutgoingStock implements Stock {
    private static final int RANK = 1;

    private final Ledger ledger;
    private final OutgoingPieces pieces;

    public OutgoingStock(Ledger ledger, OutgoingPieces pieces) {
        this.ledger = ledger;
        this.pieces = pieces;
    }

    @Override
    public Optional<Item> find(TransferId transfer) {
        return ledger.transfer(Direction.OUTGOING, transfer.toString(), "")
                .filter(row -> row.state() != TransferState.FAILED && row.state() != TransferState.CANCELLED)
                .map(row -> new Item(row, RANK));
    }

    @Override
    public boolean isWhole(Item item) {
        return isReadable(item);
    }

    @Override
    public long through(Item item) {
        if (!isReadable(item)) {
            return 0;
        }
        TransferRow row = item.row();
        long known = ledger.safePieces(row.key()).nextClearBit(0);
        return row.state() != TransferState.SENDING && known >= pieces(row) ? Long.MAX_VALUE : known;
    }

    /** What has been sent has a seal. */
    private static long pieces(TransferRow row) {
        return FrameCodec.fromJson(row.seal().getBytes(StandardCharsets.UTF_8), Seal.class)
                .pieces();
    }

    /** Reads the first piece: the cheapest sign that source and checksums still are what they were. */
    private boolean isReadable(Item item) {
        try {
            return ledger.piece(item.row().key(), 0).isEmpty()
                    || pieces.read(item.row(), 0).header().index() == 0;
        } catch (AgentException e) {
            return false;
        }
    }

    @Override
    public boolean hold(Item item) {
        return isReadable(item);
    }

    @Override
    public void release(Item item) {
        // a source belongs to its user: nothing was done to hold it
    }

    @Override
    public Piece read(Item item, long index) {
        return pieces.read(item.row(), index);
    }
}
