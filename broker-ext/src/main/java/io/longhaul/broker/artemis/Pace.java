package io.longhaul.broker.artemis;

import java.util.concurrent.TimeUnit;

/**
 * Whether a subscription takes its frames.
 *
 * <p>It moves as long as its consumer has acknowledged something a short while ago: acknowledgements come in batches,
 * after a subscriber's disk has them, and a busy machine holds them up. One that has just connected, or had nothing to
 * take, is given the same time. Keeper's thread only.
 */
final class Pace {
    /** Longer than the slowest batch of a live subscriber on a busy disk. */
    static final long STANDSTILL_NS = TimeUnit.SECONDS.toNanos(10);

    private long taken;
    private boolean connected;
    private long aliveAtNs;

    /**
     * What is seen of a subscription.
     *
     * @param acknowledged frames acknowledged since the launch; what the keeper removes is none of them
     * @param waiting frames in its queue
     * @param connected whether somebody consumes it
     */
    record Sight(long acknowledged, long waiting, boolean connected) {}

    /** Begins with a first sight: what was taken before it is not seen to move. */
    Pace(Sight first, long nowNs) {
        taken = first.acknowledged();
        aliveAtNs = nowNs - STANDSTILL_NS;
    }

    /** Takes a new sight; returns whether the subscription moves. */
    boolean isMoving(Sight sight, long nowNs) {
        boolean came = sight.connected() && !connected;
        boolean idle = sight.connected() && sight.waiting() == 0;
        if (sight.acknowledged() > taken || came || idle) {
            aliveAtNs = nowNs;
        }
        taken = Math.max(taken, sight.acknowledged());
        connected = sight.connected();
        return nowNs - aliveAtNs < STANDSTILL_NS;
    }
}
