package io.longhaul.agent.publish;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.link.LinkException;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Seal;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends a transfer straight from its source, on one thread, while another reads ahead.
 *
 * <p>While the topic may yet turn out to take it, it gives its place to others and comes back after a while. One run at a
 * time.
 */
final class DirectRun implements Runnable {
    private static final double NANOS = 1e9;

    private final Publishing publishing;
    private final Outgoing outgoing;
    private final OutgoingRecord record;
    private final Halt halt;
    private final Preflight preflight;
    private boolean told; // run only: that it waits
    private boolean ready; // run only

    DirectRun(Publishing publishing, Outgoing outgoing) {
        this.publishing = publishing;
        this.outgoing = outgoing;
        this.record = outgoing.record();
        this.halt = outgoing.halt();
        this.preflight = new Preflight(publishing, record);
    }

    /** Asks the broker before it enters, so that who gives the publication up need not wait for the answer. */
    @Override
    public void run() {
        if (outgoing.isEnding()) {
            return;
        }
        Throwable failure = failureOf(() -> ready = isReady());
        if (failure == null && !ready) {
            publishing.hold().add(outgoing::isEnding, this::comeBack);
            return;
        }
        boolean goes = failure != null || publishing.precedence().goes(outgoing, this::comeBack);
        if (goes && outgoing.enter()) {
            outgoing.leave(failure == null ? failureOf(this::send) : failure);
        }
    }

    private void comeBack() {
        publishing.send(outgoing, this);
    }

    /** What a run does; any failure ends its publication. */
    interface Step {
        void run() throws InterruptedException;
    }

    /** Does it; returns what it failed with, null when it did not. */
    static @Nullable Throwable failureOf(Step step) {
        try {
            step.run();
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Halted.closing();
        } catch (RuntimeException | Error e) {
            return e;
        }
    }

    /** Whether the topic can take it, and receipts are kept for it. */
    private boolean isReady() throws InterruptedException {
        if (!preflight.canAsk() || !isClear()) {
            return false;
        }
        preflight.openReceipts(halt);
        return true;
    }

    /** Whether the topic can take it; throws why not when that is known. */
    private boolean isClear() {
        if (outgoing.isResumed()) {
            return true;
        }
        try {
            Optional<AgentException> objection = preflight.now(told);
            if (objection.isEmpty()) {
                return true;
            }
            if (objection.get().code() != AgentException.Code.UNREACHABLE) {
                throw objection.get();
            }
            publishing.precedence().cannotGo(outgoing);
            if (!told) {
                told = true;
                publishing.tell(outgoing, "waits: " + objection.get().getMessage());
            }
        } catch (LinkException e) {
            if (e.code() != LinkException.Code.UNREACHABLE) {
                throw e;
            }
        }
        return false;
    }

    private void send() throws InterruptedException {
        outgoing.tally().recall(outgoing.seal());
        ReceiptWatch watch = new ReceiptWatch(publishing, outgoing);
        if (record.row().state() == TransferState.SENT) {
            openHolders(publishing, record);
            outgoing.evaluate();
            watch.start();
            return;
        }
        if (outgoing.isResumed()) {
            watch.start();
        } else {
            PatientCommit.join(record.begin());
        }
        announce(publishing, outgoing);
        BitSet safe = outgoing.isResumed()
                ? publishing.context().ledger().safePieces(record.row().key())
                : new BitSet();
        boolean gaps = !safe.isEmpty() && record.detail().origin().kind() == OutgoingDetail.Kind.FILE;
        Rehash.Found all = gaps ? sendGaps(safe) : sendAll(safe);
        Fragments.Totals totals = all.totals();
        Seal seal = new Seal(
                record.manifest().transfer(), totals.length(), totals.digest(), totals.pieces(), totals.entries());
        outgoing.offers().seal(seal);
        outgoing.offers().awaitSafe();
        outgoing.sent(seal, all.busyNs() / NANOS);
        watch.start();
    }

    /** Offers the manifest, again if it is not known to be safe. */
    static void announce(Publishing publishing, Outgoing outgoing) throws InterruptedException {
        OutgoingRecord record = outgoing.record();
        if (record.detail().announced()) {
            openHolders(publishing, record);
            return;
        }
        outgoing.offers().manifest(record.manifest(), () -> {
            record.saveLater(List.of(), OutgoingDetail::withAnnounced);
            // the link's thread, which tells of the outcome, may be the one that another opening waits for
            publishing.context().platform().executor().execute(() -> openHolders(publishing, record));
        });
        publishing.precedence().remove(outgoing);
    }

    private static void openHolders(Publishing publishing, OutgoingRecord record) {
        publishing.context().desk().openHolders(record.manifest().topic());
    }

    /** Reads everything in order and sends what is not safe. */
    private Rehash.Found sendAll(BitSet safe) throws InterruptedException {
        Ledger ledger = publishing.context().ledger();
        long key = record.row().key();
        try (ReadAhead ahead = Sources.start(
                publishing,
                outgoing,
                publishing.buffers(),
                Publishing.AHEAD,
                cutter -> Sources.open(outgoing, cutter))) {
            for (Fragment next = ahead.take(); next != null; next = ahead.take()) {
                if (safe.get((int) next.index())) {
                    publishing.buffers().release(next.body());
                    requireSame(outgoing, ledger.piece(key, next.index()), next);
                } else {
                    outgoing.offers().piece(next);
                }
            }
            return new Rehash.Found(ahead.totals(), ahead.busyNs());
        }
    }

    /** Sends what is not safe at once, while the digest of the whole is found beside it. */
    private Rehash.Found sendGaps(BitSet safe) throws InterruptedException {
        Rehash whole = Rehash.start(publishing, outgoing, safe);
        try (ReadAhead ahead = Sources.start(
                publishing,
                outgoing,
                publishing.buffers(),
                Publishing.AHEAD,
                cutter -> Sources.gaps(outgoing, cutter, safe))) {
            for (Fragment next = ahead.take(); next != null; next = ahead.take()) {
                whole.check();
                outgoing.offers().piece(next);
            }
        }
        return whole.await();
    }

    /** Throws {@link SourceException} when a piece is not what an earlier run sent or kept under its index. */
    static void requireSame(Outgoing outgoing, Optional<PieceRow> before, Fragment now) {
        if (before.isPresent() && before.get().crc32c() != now.header().crc32c()) {
            throw new SourceException(String.format(
                    "source %s changed since the transfer began: piece %d: expected CRC-32C %08x, found %08x",
                    SourceNames.shown(outgoing.record().row().path()),
                    now.index(),
                    before.get().crc32c(),
                    now.header().crc32c()));
        }
    }
}
