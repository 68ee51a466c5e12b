package io.longhaul.agent.publish;

import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads a whole file again after a restart, for its digest, and compares what the network has of it with what it is now.
 *
 * <p>Runs beside the sending of the rest, so that a restart does not wait for the hashing of what is safe already.
 */
final class Rehash {
    private static final int AHEAD = 2;
    private static final int BUFFERS = AHEAD + 2;
    private static final long CHECK_MILLIS = 50;

    /** What the whole file is; {@code busyNs} is how long reading and hashing took. */
    record Found(Fragments.Totals totals, long busyNs) {}

    private final Publishing publishing;
    private final Outgoing outgoing;
    private final BitSet safe;
    private final CompletableFuture<Found> found = new CompletableFuture<>();

    private Rehash(Publishing publishing, Outgoing outgoing, BitSet safe) {
        this.publishing = publishing;
        this.outgoing = outgoing;
        this.safe = safe;
    }

    /** Starts to read; the set must not change any more. */
    static Rehash start(Publishing publishing, Outgoing outgoing, BitSet safe) {
        Rehash rehash = new Rehash(publishing, outgoing, safe);
        publishing.context().platform().executor().execute(rehash::run);
        return rehash;
    }

    private void run() {
        try {
            found.complete(read());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            found.completeExceptionally(Halted.closing());
        } catch (RuntimeException | Error e) {
            found.completeExceptionally(e);
        }
    }

    private Found read() throws InterruptedException {
        OutgoingRecord record = outgoing.record();
        PieceBuffers buffers =
                new PieceBuffers((long) BUFFERS * record.manifest().pieceSize());
        try (ReadAhead all =
                Sources.start(publishing, outgoing, buffers, AHEAD, cutter -> Sources.open(outgoing, cutter))) {
            for (Fragment next = all.take(); next != null; next = all.take()) {
                buffers.release(next.body());
                if (safe.get((int) next.index())) {
                    DirectRun.requireSame(
                            outgoing,
                            publishing.context().ledger().piece(record.row().key(), next.index()),
                            next);
                }
            }
            return new Found(all.totals(), all.busyNs());
        }
    }

    /** Waits for the end; throws what is wrong with the source, or the order to stop. */
    Found await() throws InterruptedException {
        while (true) {
            outgoing.halt().check();
            try {
                return found.get(CHECK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                // not yet: look at the order to stop again
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e.getCause());
            }
        }
    }

    /** Throws what is known to be wrong with the source by now. */
    void check() throws InterruptedException {
        if (found.isCompletedExceptionally()) {
            await();
        }
    }
}
