package io.longhaul.gridftp.content;

import java.time.Duration;

/**
 * Tells whether what a mirror has asked for is still on its way.
 *
 * <p>What is lost is known by one of these:
 *
 * <ul>
 *   <li>What was asked for clearly later has come, of whatever content of the holder: blocks stay in order.
 *   <li>Nothing comes from the holder, although a question behind it was answered. The answer is urgent and overtakes blocks, so
 *       that these get a little time to follow it. Without an answer the way is cut somewhere; then blocks may wait behind the cut,
 *       and asking again would have them sent twice.
 * </ul>
 *
 * <p>Belongs to the thread of {@link Mirrors}. Times are those of {@link System#nanoTime}.
 */
final class Arrivals {
    private static final long LEAST_WAIT_NS = Duration.ofSeconds(3).toNanos();
    private static final long MOST_WAIT_NS = Duration.ofSeconds(30).toNanos();
    private static final long LEAST_QUIET_NS = Duration.ofMillis(500).toNanos();
    private static final long ASK_EVERY_NS = Duration.ofSeconds(1).toNanos();

    private final Flow flow;
    private long smoothedNs;
    private long waitNs = LEAST_WAIT_NS;
    private long cutNs;
    private boolean wasCut;
    private boolean isAsking;
    private boolean isAnswered;
    private long askedNs;
    private long answeredNs;

    /**
     * Begins.
     *
     * @param flow of the holder, with all its contents
     */
    Arrivals(Flow flow) {
        this.flow = flow;
    }

    /** What to do about blocks that are late. */
    enum Verdict {
        /** They may be on their way. */
        WAIT,
        /** To be asked: is anybody there? */
        PROBE,
        /** They are lost. */
        LOST
    }

    /**
     * A block has come.
     *
     * @param firstNs when it was asked for first
     * @param once whether it was not asked for again; else nobody knows which of the two was answered, and from the first one counts
     *     the outage that lost it, too
     */
    void came(long nowNs, long firstNs, boolean once) {
        flow.came(nowNs, firstNs, waitNs);
        if (!once) {
            return;
        }
        // an outage is no round trip, also for what waited behind it
        if (!flow.waitedOut(firstNs)) {
            long sample = Math.min(MOST_WAIT_NS, nowNs - firstNs);
            smoothedNs = smoothedNs == 0 ? sample : smoothedNs + (sample - smoothedNs) / 8;
            waitNs = Math.min(MOST_WAIT_NS, Math.max(LEAST_WAIT_NS, 4 * smoothedNs));
        }
        flow.cameOnce(firstNs);
    }

    /** The holder has told of the content. */
    void heard(long nowNs) {
        if (isAsking && !isAnswered) {
            isAnswered = true;
            answeredNs = nowNs;
        }
    }

    /** The post was cut off: what was asked for until now is late. */
    void cut(long nowNs) {
        wasCut = true;
        cutNs = nowNs;
        isAsking = false;
    }

    /** Returns whether something that was asked for at a time is lost, since later things have come. */
    boolean isOvertaken(long lastNs) {
        return flow.isBeyond(lastNs, smoothedNs);
    }

    /** Returns whether something that was asked for at a time should have come. */
    boolean isLate(long nowNs, long lastNs) {
        return nowNs - lastNs > waitNs || wasCut && cutNs - lastNs >= 0;
    }

    /** Nothing is late. */
    void calm() {
        isAsking = false;
    }

    /** Says what to do when something is late. */
    Verdict late(long nowNs) {
        long quietNs = Math.max(LEAST_QUIET_NS, smoothedNs / 4);
        if (!isAsking || !isAnswered && nowNs - askedNs >= ASK_EVERY_NS) {
            isAsking = true;
            isAnswered = false;
            askedNs = nowNs;
            return Verdict.PROBE;
        }
        if (!isAnswered || flow.goesOn(nowNs, quietNs) || nowNs - answeredNs < quietNs) {
            return Verdict.WAIT;
        }
        return Verdict.LOST;
    }

    /** What was late has been asked for again; the next time is waited longer for. */
    void askedAgain() {
        isAsking = false;
        waitNs = Math.min(MOST_WAIT_NS, 2 * waitNs);
    }
}
