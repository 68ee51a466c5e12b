package io.longhaul.gridftp.data;

import java.util.function.LongSupplier;

/** Says when the next marker is due. The first performance marker is due at once: it says that the transfer began. */
final class MarkerClock {
    private final long performanceNs;
    private final long rangesNs;
    private final LongSupplier nanoTime;
    private long nextPerformance;
    private long nextRanges;

    MarkerClock(MarkerPeriods periods, LongSupplier nanoTime) {
        this.performanceNs = periods.performance().toNanos();
        this.rangesNs = periods.ranges().toNanos();
        this.nanoTime = nanoTime;
        long now = nanoTime.getAsLong();
        this.nextPerformance = now;
        this.nextRanges = now + rangesNs;
    }

    boolean isOn() {
        return performanceNs > 0;
    }

    boolean isOnForRanges() {
        return rangesNs > 0;
    }

    /** Returns whether one is due now, and then expects the next one. */
    boolean performanceIsDue() {
        long now = nanoTime.getAsLong();
        if (performanceNs == 0 || now - nextPerformance < 0) {
            return false;
        }
        nextPerformance = now + performanceNs;
        return true;
    }

    boolean rangesAreDue() {
        return rangesNs > 0 && nanoTime.getAsLong() - nextRanges >= 0;
    }

    void rangesMarked() {
        nextRanges = nanoTime.getAsLong() + rangesNs;
    }
}
