package io.longhaul.gridftp.data;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How far a file on its way to its place has come, and whether anything of it has moved lately.
 *
 * <p>Performance markers tell the bytes that have reached their place. Programs take them for a sign of life as well, so
 * they are sent while something moves, and stop when nothing has for as long as a transfer may stall: whoever waits for
 * something that is stuck shall find out. Of the loop, except {@link #told}.
 */
final class Advance {
    private final LongSupplier nanoTime;
    private final long stallNs;
    private long received;
    private long reached;
    private long lastMove;
    private volatile long toldBytes; // written by whoever commits
    private volatile long toldAt;

    Advance(Duration stall, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.stallNs = stall.toNanos();
        this.lastMove = nanoTime.getAsLong();
        this.toldAt = lastMove;
    }

    /** Takes the progress of a commit; any thread. */
    void told(long bytes) {
        toldBytes = bytes;
        toldAt = nanoTime.getAsLong();
    }

    /** Looks at the numbers of now; those that are less than before change nothing. */
    void look(long receivedNow, long reachedNow) {
        long most = Math.max(toldBytes, reachedNow);
        if (receivedNow > received || most > reached) {
            received = Math.max(received, receivedNow);
            reached = Math.max(reached, most);
            lastMove = nanoTime.getAsLong();
        }
        if (toldAt - lastMove > 0) {
            lastMove = toldAt;
        }
    }

    boolean isRecent() {
        return nanoTime.getAsLong() - lastMove <= stallNs;
    }

    long reached() {
        return Math.min(reached, received);
    }
}
