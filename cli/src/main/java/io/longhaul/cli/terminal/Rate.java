package io.longhaul.cli.terminal;

/**
 * How fast a counter grows, smoothed over about three seconds.
 *
 * <p>The first sample is the start, so that what was there before (after a restart) does not count as speed.
 */
final class Rate {
    private static final double MEMORY_NS = 3e9;

    private long lastNs;
    private long lastBytes = -1;
    private double perSecond;
    private double weight;

    /** Takes a sample; one that goes backwards starts afresh. */
    void sample(long nowNs, long bytes) {
        long elapsedNs = nowNs - lastNs;
        if (lastBytes >= 0 && elapsedNs <= 0) {
            return;
        }
        if (lastBytes >= 0 && bytes >= lastBytes) {
            double keep = Math.exp(-elapsedNs / MEMORY_NS);
            double current = (bytes - lastBytes) * 1e9 / elapsedNs;
            perSecond = perSecond * keep + current * (1 - keep);
            weight = weight * keep + (1 - keep);
        } else {
            perSecond = 0;
            weight = 0;
        }
        lastNs = nowNs;
        lastBytes = bytes;
    }

    /** Returns bytes a second; 0 while unknown. */
    double perSecond() {
        return weight == 0 ? 0 : perSecond / weight;
    }
}
