package io.longhaul.agent.receive;

import java.time.Duration;

/**
 * How long to wait for a delivery while nothing is under way. Every wait in vain is a question to the broker, which may have
 * thousands of quiet subscriptions: they ask ever less often. One thread at a time.
 */
final class Quiet {
    private static final long LEAST_NS = Duration.ofMillis(500).toNanos();
    private static final long MOST_NS = Duration.ofSeconds(4).toNanos();
    private static final int PART = 8;

    private long sinceNs;

    Quiet(long nowNs) {
        this.sinceNs = nowNs;
    }

    /** Says that there is something to look after. */
    void disturbed(long nowNs) {
        sinceNs = nowNs;
    }

    /** Returns how long to wait from now on. */
    Duration patience(long nowNs) {
        return Duration.ofNanos(Math.min(MOST_NS, Math.max(LEAST_NS, (nowNs - sinceNs) / PART)));
    }
}
