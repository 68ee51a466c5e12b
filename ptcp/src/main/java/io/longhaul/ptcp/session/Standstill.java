package io.longhaul.ptcp.session;

import java.time.Duration;

/**
 * Finds that the other end is there and yet acknowledges nothing, so that this end would keep for ever what it may have to
 * send again; event loop only.
 *
 * <p>What is read late there is acknowledged all the same, so that a reader that rests for hours is no standstill: once the
 * window is full, nothing is out. A limit that grows is none of what counts here: it frees no memory.
 */
final class Standstill {
    /** After a longer pause this end was stopped itself, and what came meanwhile may still wait for it. */
    private static final long MOST_STEP_NS = Duration.ofSeconds(1).toNanos();

    private final Splitter splitter;
    private final long limitNs;
    private long acknowledged;
    private long lookedNs;
    private long lastsNs; // without silence, in which nothing can be acknowledged

    /** Takes how long it may last. */
    Standstill(Splitter splitter, long limitNs, long nowNs) {
        this.splitter = splitter;
        this.limitNs = limitNs;
        this.lookedNs = nowNs;
    }

    /** Looks whether more was acknowledged while the other end was heard; returns whether it was not for the limit. */
    boolean isTooLong(long nowNs, boolean heard) {
        long stepNs = Math.min(nowNs - lookedNs, MOST_STEP_NS);
        lookedNs = nowNs;
        if (splitter.acknowledged() > acknowledged || splitter.acknowledged() == splitter.position()) {
            acknowledged = splitter.acknowledged();
            lastsNs = 0;
        } else if (heard) {
            lastsNs += stepNs;
        }
        return lastsNs > limitNs;
    }

    long limitNs() {
        return limitNs;
    }
}
