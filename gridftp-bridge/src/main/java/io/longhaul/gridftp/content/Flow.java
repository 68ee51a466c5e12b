package io.longhaul.gridftp.content;

import java.time.Duration;

/**
 * What has come from one holder, of all contents together: they wait in the same queues, and stay in the order in which they were
 * asked for.
 *
 * <p>Belongs to the thread of {@link Mirrors}. Times are those of {@link System#nanoTime}.
 */
final class Flow {
    private static final long LEAST_LEAD_NS = Duration.ofSeconds(1).toNanos();

    private boolean hasCome;
    private long cameNs;
    private boolean hasNewest;
    private long newestNs;
    private boolean hadOutage;
    private long outageEndNs;

    /**
     * A block has come.
     *
     * @param firstNs when it was asked for first
     * @param waitNs how long nothing comes when there is an outage
     */
    void came(long nowNs, long firstNs, long waitNs) {
        long silentSinceNs = hasCome && cameNs - firstNs > 0 ? cameNs : firstNs;
        if (nowNs - silentSinceNs > waitNs) {
            hadOutage = true;
            outageEndNs = nowNs;
        }
        hasCome = true;
        cameNs = nowNs;
    }

    /** The block that has come was asked for then, and not again. */
    void cameOnce(long firstNs) {
        if (!hasNewest || firstNs - newestNs > 0) {
            hasNewest = true;
            newestNs = firstNs;
        }
    }

    /** Returns whether what was asked for at a time may have waited behind an outage. */
    boolean waitedOut(long firstNs) {
        return hadOutage && firstNs - outageEndNs <= 0;
    }

    /** Returns whether what was asked for clearly later than this has come. */
    boolean isBeyond(long lastNs, long tripNs) {
        return hasNewest && newestNs - lastNs > Math.max(LEAST_LEAD_NS, tripNs / 4);
    }

    /** Returns whether something has come within a time. */
    boolean goesOn(long nowNs, long quietNs) {
        return hasCome && nowNs - cameNs < quietNs;
    }
}
