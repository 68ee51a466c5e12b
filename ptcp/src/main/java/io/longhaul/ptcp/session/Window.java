package io.longhaul.ptcp.session;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How far the other end may send: beyond what the reader has taken, as far as there is memory for it; event loop only.
 *
 * <p>A session always has its first bytes, which hold a packet at least: whatever others have, it goes on. More it gets
 * while much comes: what trickles for days needs none. When memory is short it is given less again. What was
 * promised is never taken back: the window shrinks by what the reader takes, or when the other end gives it back.
 */
final class Window {
    /** So that the window is ahead of TCP's slow start, which doubles what comes in a round trip, also while a stream stands. */
    private static final int GROWTH = 4;

    /** Longer than a round trip, so that what came meanwhile is no less than what was on its way. */
    private static final long LATELY_NS = Duration.ofSeconds(1).toNanos();

    private final long firstBytes;
    private final long mostBytes;
    private final WindowBudget budget;
    private final LongSupplier clock;
    private long moreBytes; // from the budget
    private long limit;
    private long givenBackBytes;
    private long sinceNs;
    private long sinceBytes;
    private long bytesBefore; // came in as long a time before that

    Window(long firstBytes, long mostBytes, WindowBudget budget, LongSupplier clock) {
        this.firstBytes = firstBytes;
        this.mostBytes = mostBytes;
        this.budget = budget;
        this.clock = clock;
        this.limit = firstBytes;
        this.sinceNs = clock.getAsLong();
    }

    /**
     * The reader has taken everything up to a position. Who sends may be known or not, and if not has its first bytes.
     *
     * @param came bytes that came, be they behind a gap: one stream that stands must not stop the others
     */
    void progressed(long taken, long came, boolean trusted) {
        long wanted = trusted ? Math.min(mostBytes - firstBytes, GROWTH * cameLately(came)) : 0;
        moreBytes = budget.renew(moreBytes, promised(taken), wanted);
        limit = Math.max(limit, taken + firstBytes + moreBytes);
    }

    private long promised(long position) {
        return Math.max(0, limit - position - firstBytes);
    }

    /** The other end has given back so much in total, and the reader taken everything up to the position. */
    void givenBack(long total, long position) {
        limit -= total - givenBackBytes;
        givenBackBytes = total;
        moreBytes = budget.renew(moreBytes, promised(position), 0);
    }

    private long cameLately(long came) {
        long bytes = came - sinceBytes;
        long lengthNs = clock.getAsLong() - sinceNs;
        if (lengthNs >= LATELY_NS) {
            bytesBefore = (long) ((double) bytes * LATELY_NS / lengthNs);
            sinceNs += lengthNs;
            sinceBytes = came;
            bytes = 0;
        }
        return Math.max(bytes, bytesBefore);
    }

    /** Returns the position that must not be reached. */
    long limit() {
        return limit;
    }

    /** Returns how much the other end has given back so far. */
    long givenBackBytes() {
        return givenBackBytes;
    }

    /** Returns how much it is now. */
    long bytes() {
        return firstBytes + moreBytes;
    }

    /** Gives back what it has: nothing is held any more. */
    void release() {
        moreBytes = budget.renew(moreBytes, 0, 0);
    }
}
