package io.longhaul.agent.publish;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.link.LinkException;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.Spool;
import io.longhaul.storage.StorageException;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.PieceHeader;
import io.longhaul.wire.Seal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Fills the spool from a source, on one thread, while another reads ahead.
 *
 * <p>Order for every batch: bodies into the spool, force, rows into the ledger, and only then are they said to be
 * durable and offered. A batch ends with its bytes, its pieces, or when the source has nothing ready.
 */
final class SpoolRun implements Runnable {
    private static final int AHEAD = 3;
    private static final int BATCH_PIECES = 64;
    private static final long BATCH_BYTES = 16L * 1024 * 1024;
    private static final long LINGER_NS = 20_000_000;
    private static final long SILENCE_NS = 100_000_000;
    private static final long SPACE_RETRY_MILLIS = 100;
    private static final long SPACE_PATIENCE_NS = 20_000_000_000L;

    /** How long the broker is waited for before bytes are kept without having asked it. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final double NANOS = 1e9;

    private final Publishing publishing;
    private final Outgoing outgoing;
    private final OutgoingRecord record;
    private final Halt halt;
    private final ReadAhead.Source source;
    private final SpoolTide tide;
    private final Runnable signal;
    private final List<PieceRow> batch = new ArrayList<>();
    private List<PieceRow> doubtful = List.of(); // of a commit that failed, and may be found in the ledger all the same
    private long batchBytes;
    private long batchSinceNs;

    /**
     * @param source what is read
     * @param signal told each time the tide rises
     */
    SpoolRun(Publishing publishing, Outgoing outgoing, ReadAhead.Source source, SpoolTide tide, Runnable signal) {
        this.publishing = publishing;
        this.outgoing = outgoing;
        this.record = outgoing.record();
        this.halt = outgoing.halt();
        this.source = source;
        this.tide = tide;
        this.signal = signal;
    }

    @Override
    public void run() {
        if (!outgoing.enter()) {
            return;
        }
        Throwable failure = null;
        try {
            fill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = Halted.closing();
        } catch (RuntimeException | Error e) {
            failure = e;
        } finally {
            // Slots that the ledger has not heard of would stay taken until the next start.
            batch.stream().filter(row -> row.spoolPosition() >= 0).forEach(row -> spool().release(row.spoolPosition()));
        }
        outgoing.leave(failure);
        if (!doubtful.isEmpty()) {
            outgoing.result()
                    .whenCompleteAsync(
                            (result, why) -> giveBackDoubtful(),
                            publishing.context().platform().executor());
        }
    }

    /** Once the ledger has the end of a transfer, a commit that came before is there as well, or never will be. */
    private void giveBackDoubtful() {
        long key = record.row().key();
        List<PieceRow> missing = doubtful.stream()
                .filter(row -> row.spoolPosition() >= 0
                        && ledger().piece(key, row.index()).isEmpty())
                .toList();
        // looked at last: what is removed with its transfer has given its slots back
        if (ledger().transfer(key).filter(row -> row.state().isEnded()).isPresent()) {
            missing.forEach(row -> spool().release(row.spoolPosition()));
        }
    }

    private void fill() throws InterruptedException {
        if (!outgoing.isResumed()) {
            refuseHopelessReceipts();
            PatientCommit.join(record.begin());
        } else {
            outgoing.tally().recall(outgoing.seal());
            tide.rise(kept());
            signal.run();
        }
        // Its own buffers: those of the senders may all be in flight while the network is away.
        PieceBuffers buffers = new PieceBuffers((AHEAD + 3L) * record.manifest().pieceSize());
        try (ReadAhead ahead = Sources.start(publishing, outgoing, buffers, AHEAD, source)) {
            long next = 0;
            if (!ahead.isReady(SILENCE_NS)) {
                signal.run(); // a stream may be silent for hours, and others of its name wait until it is announced
            }
            for (Fragment fragment = ahead.take(); fragment != null; fragment = ahead.take()) {
                try {
                    keep(fragment);
                } finally {
                    buffers.release(fragment.body());
                }
                next = fragment.index() + 1;
                if (isDue(ahead)) {
                    flush(next);
                }
            }
            flush(next);
            seal(ahead);
        }
    }

    /** Returns how many pieces from the first on an earlier run kept: they can go while the rest is read. */
    private long kept() {
        BitSet known = new BitSet();
        ledger().forEachPiece(record.row().key(), piece -> known.set((int) piece.index()));
        return known.nextClearBit(0);
    }

    /** More receipts than subscriptions are refused while nobody was promised anything; an outage is no objection. */
    private void refuseHopelessReceipts() throws InterruptedException {
        // in an outage others look for the broker already, and a file that is to be kept need not wait with them
        Duration patience = publishing.hold().isOutage() ? Duration.ZERO : PATIENCE;
        if (record.detail().origin().receipts() == 0
                || !publishing.context().link().awaitConnection(patience)) {
            return;
        }
        try {
            Optional<AgentException> objection = new Preflight(publishing, record).hopeless();
            if (objection.isPresent()) {
                throw objection.get();
            }
        } catch (LinkException e) {
            if (e.code() != LinkException.Code.UNREACHABLE) {
                throw e;
            }
        }
    }

    private void keep(Fragment fragment) throws InterruptedException {
        if (outgoing.isResumed()) {
            Optional<PieceRow> before = ledger().piece(record.row().key(), fragment.index());
            DirectRun.requireSame(outgoing, before, fragment);
            if (before.isPresent()) {
                return;
            }
        }
        boolean hole = fragment.header().kind() == PieceHeader.Kind.HOLE;
        if (batch.isEmpty()) {
            batchSinceNs = nanoTime();
        }
        batch.add(fragment.row(false, hole ? -1 : write(fragment)));
        batchBytes += fragment.body().remaining();
    }

    /** Writes into the spool; when it is full, waits a while for pieces to leave it. */
    private long write(Fragment fragment) throws InterruptedException {
        long sinceNs = nanoTime();
        boolean told = false;
        while (true) {
            try {
                return spool().write(fragment.body().duplicate());
            } catch (StorageException e) {
                boolean mayPass = e.code() == StorageException.Code.NO_SPACE
                        && !publishing.context().bounds().isWithoutSpool();
                if (!mayPass || nanoTime() - sinceNs > SPACE_PATIENCE_NS) {
                    throw e;
                }
                if (!told) {
                    publishing.tell(outgoing, "waits for space: " + e.getMessage());
                    told = true;
                }
                // who has the room may wait for this one, and this one for who has it
                publishing.precedence().remove(outgoing);
                if (!batch.isEmpty()) {
                    // What is written can only leave the spool once it is offered.
                    flush(fragment.index());
                }
                halt.pause(SPACE_RETRY_MILLIS);
            }
        }
    }

    /** What is kept must not wait for a source that is silent, as a stream may be for hours. */
    private boolean isDue(ReadAhead ahead) throws InterruptedException {
        return batch.size() >= BATCH_PIECES
                || batchBytes >= BATCH_BYTES
                || !ahead.isReady(batch.isEmpty() ? 0 : batchSinceNs + LINGER_NS - nanoTime());
    }

    private void flush(long next) throws InterruptedException {
        if (!batch.isEmpty()) {
            spool().force();
            List<LedgerChange> changes = new ArrayList<>(outgoing.entries().drain());
            changes.add(new LedgerChange.PutPieces(record.row().key(), List.copyOf(batch)));
            // One that fails may be found in the ledger later, so its slots must not be another's.
            doubtful = List.copyOf(batch);
            batch.clear();
            batchBytes = 0;
            PatientCommit.commit(publishing, outgoing, () -> record.save(changes, detail -> detail));
            doubtful = List.of();
        }
        tide.rise(next);
        signal.run();
    }

    private void seal(ReadAhead ahead) throws InterruptedException {
        Fragments.Totals totals = ahead.totals();
        Seal seal = new Seal(
                record.manifest().transfer(), totals.length(), totals.digest(), totals.pieces(), totals.entries());
        String json = new String(FrameCodec.toJson(seal), StandardCharsets.UTF_8);
        List<LedgerChange> last = outgoing.entries().drain();
        PatientCommit.commit(
                publishing,
                outgoing,
                () -> record.move(
                        record.row().state(),
                        json,
                        last,
                        detail -> detail.withSpooled()
                                .withSeconds(detail.seconds().plus(ahead.busyNs() / NANOS, 0, 0))));
        outgoing.sealed(seal);
        tide.full(totals.pieces());
        publishing.context().platform().executor().execute(outgoing::sourceMayGo);
        signal.run();
    }

    private Ledger ledger() {
        return publishing.context().ledger();
    }

    private Spool spool() {
        return publishing.context().spool();
    }

    private long nanoTime() {
        return publishing.context().platform().nanoTime().getAsLong();
    }
}
