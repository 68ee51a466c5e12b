package io.longhaul.ptcp.session;

import java.time.Duration;

/** How long to wait before something is tried again that failed: longer each time, until it went well; event loop only. */
final class Backoff {
    /** The first pause. */
    static final long LEAST_NS = Duration.ofMillis(50).toNanos();

    private static final long MOST_NS = Duration.ofSeconds(2).toNanos();

    private long pauseNs;
    private long sinceNs;

    boolean isOver(long nowNs) {
        return pauseNs == 0 || nowNs - sinceNs >= pauseNs;
    }

    /** What fails in a pause was tried before it, together with what began it. */
    void failed(long nowNs) {
        if (isOver(nowNs)) {
            pauseNs = pauseNs == 0 ? LEAST_NS : Math.min(2 * pauseNs, MOST_NS);
            sinceNs = nowNs;
        }
    }

    void succeeded() {
        pauseNs = 0;
    }
}
