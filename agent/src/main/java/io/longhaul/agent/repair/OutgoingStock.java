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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What this agent publishes: served from its source for as long as that is unchanged.
 *
 * <p>One that is found changed, by its names and times or when a piece of it is read, is not offered for a minute: who asks
 * turns to somebody else at once, and is not refused again and again. After that it may be back.
 */
public final class OutgoingStock implements Stock {
    static final long REST_NS = 60_000_000_000L;

    private static final int RANK = 1;
    private static final int REMEMBERED = 10_000;

    private final Ledger ledger;
    private final OutgoingPieces pieces;
    private final LongSupplier nanoTime;
    private final Consumer<String> notices;
    private final Map<String, Long> restingSinceNs = new LinkedHashMap<>(); // by transfer; guarded by this

    /** Takes the time, and who hears once of a source that changed. */
    public OutgoingStock(Ledger ledger, OutgoingPieces pieces, LongSupplier nanoTime, Consumer<String> notices) {
        this.ledger = ledger;
        this.pieces = pieces;
        this.nanoTime = nanoTime;
        this.notices = notices;
    }

    @Override
    public Optional<Item> find(TransferId transfer) {
        return ledger.transfer(Direction.OUTGOING, transfer.toString(), "")
                .filter(row -> !GivenUpHere.test(ledger, row))
                .map(row -> new Item(row, RANK));
    }

    @Override
    public boolean isWhole(Item item) {
        return isUnchanged(item);
    }

    @Override
    public long through(Item item) {
        if (!isUnchanged(item)) {
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

    private boolean isUnchanged(Item item) {
        if (isResting(item)) {
            return false;
        }
        Optional<String> fault = pieces.fault(item.row());
        fault.ifPresent(why -> rest(item, why));
        return fault.isEmpty();
    }

    private synchronized boolean isResting(Item item) {
        Long since = restingSinceNs.get(item.row().transferId());
        return since != null && nanoTime.getAsLong() - since < REST_NS;
    }

    private void rest(Item item, String why) {
        String transfer = item.row().transferId();
        synchronized (this) {
            restingSinceNs.remove(transfer);
            restingSinceNs.put(transfer, nanoTime.getAsLong());
            if (restingSinceNs.size() > REMEMBERED) {
                restingSinceNs.remove(restingSinceNs.keySet().iterator().next());
            }
        }
        notices.accept("repair: transfer " + transfer + " is not offered for now: " + why);
    }

    @Override
    public boolean hold(Item item) {
        return isUnchanged(item);
    }

    @Override
    public void release(Item item) {
        // a source belongs to its user: nothing was done to hold it
    }

    @Override
    public Piece read(Item item, long index) {
        try {
            return pieces.read(item.row(), index);
        } catch (AgentException e) {
            // one that the ledger does not know has not been sent: its time may come
            if (!isResting(item) && ledger.piece(item.row().key(), index).isPresent()) {
                rest(item, String.valueOf(e.getMessage()));
            }
            throw e;
        }
    }
}
