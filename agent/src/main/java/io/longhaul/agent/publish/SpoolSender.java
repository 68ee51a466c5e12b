package io.longhaul.agent.publish;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.AgentException.Code;
import io.longhaul.agent.link.LinkException;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.TransferRow;
import io.longhaul.wire.Piece;
import io.longhaul.wire.Seal;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Sends a transfer from the spool as far as it is filled, then gives its place to others until it is signalled again.
 *
 * <p>A topic that cannot take it is asked again after a while. One run at a time.
 */
final class SpoolSender implements Runnable {
    private final Publishing publishing;
    private final Outgoing outgoing;
    private final OutgoingRecord record;
    private final OutgoingPieces pieces;
    private final SpoolTide tide;
    private final ReceiptWatch watch;
    private final AtomicBoolean signalled = new AtomicBoolean();
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile boolean held;
    private long next; // run only
    private boolean cleared; // run only
    private @Nullable Code told; // run only: of the last objection that a person was told
    private boolean ended; // run only
    private @Nullable Throwable refusal; // run only: for now

    SpoolSender(Publishing publishing, Outgoing outgoing, SpoolTide tide) {
        this.publishing = publishing;
        this.outgoing = outgoing;
        this.record = outgoing.record();
        this.pieces = new OutgoingPieces(
                publishing.context().ledger(), publishing.context().spool());
        this.tide = tide;
        this.watch = new ReceiptWatch(publishing, outgoing);
    }

    /** There is more to send, or reason to try again. */
    void signal() {
        signalled.set(true);
        if (running.compareAndSet(false, true)) {
            publishing.send(outgoing, this);
        }
    }

    /** Asks the broker before it enters, as {@link DirectRun} does. */
    @Override
    public void run() {
        if (refusal != null) {
            signalled.set(false);
        }
        Throwable failure = refusal != null ? refusal : DirectRun.failureOf(this::clear);
        boolean entered = outgoing.enter();
        if (entered && failure == null) {
            failure = DirectRun.failureOf(this::sendAll);
        }
        if (failure instanceof LinkException link && link.code() == LinkException.Code.QUOTA && !tide.isFull()) {
            // a limit passes: what is read is kept, and ends so when all of it is here
            if (refusal == null) {
                publishing.tell(
                        outgoing,
                        "is refused: " + failure.getMessage() + "; it is kept when it has been read to its end");
                publishing.precedence().remove(outgoing);
            }
            refusal = failure;
            failure = null;
        }
        running.set(false);
        if (entered) {
            outgoing.leave(failure);
        }
        // A signal that came after the last look found a run that was about to leave.
        if (entered && failure == null && signalled.get() && !held) {
            signal();
        }
    }

    private void sendAll() throws InterruptedException {
        outgoing.tally().recall(outgoing.seal());
        while (cleared && signalled.getAndSet(false)) {
            send();
        }
    }

    private void send() throws InterruptedException {
        if (ended) {
            return;
        }
        DirectRun.announce(publishing, outgoing);
        for (; next < tide.pieces(); next++) {
            PieceRow row = publishing
                    .context()
                    .ledger()
                    .piece(record.row().key(), next)
                    .orElseThrow(() -> new SourceException(
                            "piece " + next + " was found damaged in the spool, and its source is gone"));
            if (!row.safe()) {
                outgoing.offers().piece(read(row));
            }
        }
        Seal seal = outgoing.seal();
        if (tide.isFull() && next == tide.pieces() && seal != null) {
            ended = true;
            outgoing.offers().seal(seal);
            outgoing.offers().awaitSafe();
            outgoing.sent(seal, 0);
            watch.start();
        }
    }

    /** Looks whether the topic can take the transfer; if not, comes back later. */
    private void clear() throws InterruptedException {
        if (cleared || held || outgoing.isEnding()) {
            return;
        }
        Preflight preflight = new Preflight(publishing, record);
        try {
            if (preflight.canAsk() && isClear(preflight)) {
                held = true; // it may be asked back before this returns
                if (publishing.precedence().goes(outgoing, this::askAgain)) {
                    held = false;
                    cleared = true;
                }
                return;
            }
        } catch (LinkException e) {
            if (e.code() != LinkException.Code.UNREACHABLE) {
                throw e;
            }
        }
        held = true;
        publishing.hold().add(outgoing::isEnding, this::askAgain);
    }

    private boolean isClear(Preflight preflight) throws InterruptedException {
        boolean announced = record.detail().announced();
        Optional<AgentException> objection = announced ? Optional.empty() : preflight.now(told != null);
        if (objection.isEmpty()) {
            preflight.openReceipts(outgoing.halt());
            if (announced) {
                watch.start();
            }
            return true;
        }
        publishing.precedence().cannotGo(outgoing);
        if (objection.get().code() != told) {
            publishing.tell(outgoing, "is held: " + objection.get().getMessage());
            told = objection.get().code();
        }
        return false;
    }

    private void askAgain() {
        held = false;
        signal();
    }

    private Fragment read(PieceRow row) throws InterruptedException {
        var body = publishing.buffers().take(record.manifest().pieceSize(), outgoing.halt());
        try {
            TransferRow transfer = record.row();
            Piece piece = pieces.read(transfer, row, body);
            if (!piece.body().hasRemaining()) {
                publishing.buffers().release(body);
                return new Fragment(piece.header(), row.entry(), Fragment.NO_BODY, row.length());
            }
            return new Fragment(piece.header(), row.entry(), body, row.length());
        } catch (AgentException e) {
            publishing.buffers().release(body);
            // What may be read another time ends this run, and is kept for one that goes on with it.
            if (e.getCause() instanceof StorageException storage && OutgoingPieces.mayPass(storage)) {
                throw new StorageException(storage.code(), String.valueOf(e.getMessage()), e);
            }
            throw new SourceException(String.valueOf(e.getMessage()), e);
        } catch (RuntimeException | Error e) {
            publishing.buffers().release(body);
            throw e;
        }
    }
}
