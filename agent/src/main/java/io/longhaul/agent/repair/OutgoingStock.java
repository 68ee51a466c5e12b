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
 * turns to somebody else at once, and is not refused again and again. After that it may be back. To look
 * through a large tree takes seconds, so what is offered is looked at for a small share of the time only: each piece is
 * compared when it is read. Before a promise all is looked at.
 */
public final class OutgoingStock implements Stock {
    static final long REST_NS = 60_000_000_000L;
    private static final int SHARE = 10;

    private static final int RANK = 1;
    private static final int REMEMBERED = 10_000;

    private final Ledger ledger;
    private final OutgoingPieces pieces;
    private final LongSupplier nanoTime;
    private final Consumer<String> notices;
    private final Map<String, Look> looks = new LinkedHashMap<>(); // by transfer; guarded by this

    /** What was found when its names and times were last looked at, or a piece was read, and for how long that counts. */
    private record Look(boolean unchanged, long atNs, long forNs) {}

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

    /** What was found before does not count here: who is promised something drops what it has of it. */
    @Override
    public long through(Item item) {
        if (isResting(item) || !look(item)) {
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
        return lastLook(item).map(Look::unchanged).orElseGet(() -> look(item));
    }

    private boolean look(Item item) {
        long fromNs = nanoTime.getAsLong();
        Optional<String> fault = pieces.fault(item.row());
        fault.ifPresentOrElse(why -> rest(item, why), () -> rememberUnchanged(item, fromNs));
        return fault.isEmpty() && !isResting(item);
    }

    /** Names and times say less than a piece that was found changed meanwhile. */
    private synchronized void rememberUnchanged(Item item, long fromNs) {
        if (!isResting(item)) {
            remember(item, true, SHARE * (nanoTime.getAsLong() - fromNs));
        }
    }

    private synchronized Optional<Look> lastLook(Item item) {
        return Optional.ofNullable(looks.get(item.row().transferId()))
                .filter(look -> nanoTime.getAsLong() - look.atNs() < look.forNs());
    }

    private synchronized void remember(Item item, boolean unchanged, long forNs) {
        String transfer = item.row().transferId();
        looks.remove(transfer);
        looks.put(transfer, new Look(unchanged, nanoTime.getAsLong(), forNs));
        if (looks.size() > REMEMBERED) {
            looks.remove(looks.keySet().iterator().next());
        }
    }

    private boolean isResting(Item item) {
        return lastLook(item).filter(look -> !look.unchanged()).isPresent();
    }

    private void rest(Item item, String why) {
        remember(item, false, REST_NS);
        notices.accept("repair: transfer " + item.row().transferId() + " is not offered for now: " + why);
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
