package io.longhaul.ptcp.session;

import java.time.Duration;

/**
 * Finds the number of streams while data flows: doubles it as long as that brings throughput, goes back when it does not,
 * and tries with fewer now and then.
 *
 * <h2>Design note</h2>
 * Loss makes the rate of one stream small and that of N streams N times as much, until link or machine are full; then
 * more streams bring nothing. So it climbs by factors of two, and compares rates of intervals in which the network and
 * not the application was the limit. Rates are noisy: a step up must bring a tenth, and the way down may cost a
 * twentieth, however many steps it has: each is compared with the rate before the first, or with that of the last step
 * up in vain where this was greater. After a step in vain it rests, longer each time. A path whose queue stands is
 * full: there it does not try more.
 *
 * <p>Where packets are lost though the path is not full, the first rates deceive: streams start faster than loss lets them
 * go on, so that the rate falls while the number grows. There the first climb goes on whatever the rate, and the later try
 * with fewer tells whether that was right; and when loss makes the rate fall later, it does not rest but climbs again.
 * What a path carried while it was full is what it can carry: when it is full no more and carries less for a while, more
 * streams are tried. Where packets are lost, that is such a climb again, as the rate still falls while they begin;
 * elsewhere they are right if they fill the path. Event loop only.
 */
final class StreamCount {
    private static final double GAIN = 1.10;
    private static final double COST = 0.95;
    private static final double DECLINE = 0.8;
    private static final double FILLED = 0.95;
    private static final int SLACK_INTERVALS = 3;
    private static final double SMOOTHING = 1.0 / SLACK_INTERVALS;
    private static final long REST_NS = Duration.ofSeconds(30).toNanos();
    private static final long MOST_REST_NS = Duration.ofMinutes(4).toNanos();
    private static final int FIRST = 4;

    /** What a climb whatever the rate ends at; who wants more must show what it brings. */
    private static final int UNSEEN = 16;

    /** How long the rate of such a climb may fall before it is compared with that of more streams. */
    private static final long CALM_NS = Duration.ofSeconds(5).toNanos();

    /** New streams are dialled and start, and what they carry is acknowledged only with what others carried before. */
    private static final int STARTING_INTERVALS = 2;

    /** What the path is like, as far as the system tells. */
    enum Path {
        /** Nothing is known of it, or nothing bad. */
        CLEAR,
        /** It loses packets though it is not full. */
        LOSSY,
        /** A queue stands in it: more streams would only make it longer. */
        FULL
    }

    private enum Phase {
        /** Measures the present number before a step up, until its rate grows no more by itself. */
        BASE,
        /** Measures a greater number. */
        UP,
        /** Measures a smaller number. */
        DOWN,
        /** Leaves it alone for a while. */
        REST
    }

    private final int most;
    private final boolean fixed;
    private Phase phase = Phase.BASE;
    private Phase direction = Phase.UP;
    private int target;
    private int before;
    private double rateBefore;
    private double rateAbove; // of the last step up, when that was in vain
    private double rateLately; // since the path was full
    private double rateFull; // while the path was full, 0 if it never was or that has been answered
    private int slack; // intervals since the path was full
    private int settling; // intervals that are not looked at
    private boolean young = true; // while rates deceive, until the next rest
    private boolean unseen; // the last step was taken whatever the rate
    private long restUntilNs;
    private long restNs = REST_NS;

    private StreamCount(int target, int most, boolean fixed) {
        this.target = target;
        this.before = target;
        this.most = most;
        this.fixed = fixed;
    }

    static StreamCount fixed(int count) {
        return new StreamCount(count, count, true);
    }

    static StreamCount auto(int most) {
        return new StreamCount(Math.min(FIRST, most), most, false);
    }

    int target() {
        return target;
    }

    /** Returns whether {@link #observe} may ever change the number. */
    boolean isSearching() {
        return !fixed && most > 1;
    }

    /**
     * Takes what one interval brought and returns the number to aim at.
     *
     * @param bytes acknowledged in the interval
     * @param lengthNs length of the interval
     * @param nowNs its end
     * @param path what the path was like in it
     */
    int observe(long bytes, long lengthNs, long nowNs, Path path) {
        if (!isSearching()) {
            return target;
        }
        double rate = bytes / (double) lengthNs;
        if (settling > 0) {
            settling--;
            return target;
        }
        boolean deceiving = path == Path.LOSSY && young && target < UNSEEN;
        remember(rate, path);
        switch (phase) {
            case BASE -> base(rate, nowNs, path, deceiving);
            case UP -> {
                if (unseen && target >= UNSEEN && path != Path.FULL) {
                    rateBefore = rate;
                    rest(nowNs, CALM_NS);
                } else if (deceiving || path == Path.FULL || rate >= GAIN * rateBefore) {
                    restNs = REST_NS;
                    rateAbove = 0;
                    base(rate, nowNs, path, deceiving);
                } else {
                    rateAbove = rate;
                    rateFull = 0;
                    back(nowNs, Phase.DOWN);
                }
            }
            case DOWN -> {
                if (rate >= COST * Math.max(rateBefore, rateAbove)) {
                    step(rate, nowNs, deceiving);
                } else {
                    back(nowNs, Phase.UP);
                }
            }
            case REST -> {
                boolean fullNoMore = slack >= SLACK_INTERVALS && rateLately < FILLED * rateFull;
                if (path == Path.LOSSY && (fullNoMore || rate < DECLINE * rateBefore) && target < most) {
                    young = true;
                    rateFull = 0;
                    direction = Phase.UP;
                    step(rate, nowNs, target < UNSEEN);
                } else if (fullNoMore && target < most) {
                    direction = Phase.UP;
                    step(rateLately, nowNs, false);
                } else if (nowNs - restUntilNs >= 0) {
                    step(rate, nowNs, deceiving);
                }
            }
        }
        return target;
    }

    private void remember(double rate, Path path) {
        if (path == Path.FULL) {
            rateFull += (rateFull == 0 ? 1 : SMOOTHING) * (rate - rateFull);
            rateLately = rate;
            slack = 0;
        } else {
            rateLately += SMOOTHING * (rate - rateLately);
            slack++;
        }
    }

    private void base(double rate, long nowNs, Path path, boolean deceiving) {
        boolean grows = phase != Phase.BASE || rate >= GAIN * rateBefore;
        if (path == Path.FULL) {
            rateBefore = rate;
            direction = Phase.DOWN;
            rest(nowNs);
        } else if (grows && !deceiving) {
            phase = Phase.BASE;
            rateBefore = rate;
        } else {
            step(rate, nowNs, deceiving);
        }
    }

    private void step(double rate, long nowNs, boolean deceiving) {
        int to = direction == Phase.UP ? Math.min(2 * target, most) : Math.max(target / 2, 1);
        if (to == target) {
            direction = direction == Phase.UP ? Phase.DOWN : Phase.UP;
            rest(nowNs);
            return;
        }
        before = target;
        if (phase != Phase.DOWN) {
            rateBefore = rate;
        }
        target = to;
        phase = direction;
        unseen = deceiving;
        if (direction == Phase.UP) {
            settling = deceiving ? 0 : STARTING_INTERVALS;
        } else {
            settling = 1;
        }
    }

    private void back(long nowNs, Phase next) {
        target = before;
        direction = next;
        rest(nowNs);
        restNs = Math.min(2 * restNs, MOST_REST_NS);
        settling = 1;
    }

    private void rest(long nowNs) {
        rest(nowNs, restNs);
    }

    private void rest(long nowNs, long lengthNs) {
        phase = Phase.REST;
        restUntilNs = nowNs + lengthNs;
        young = false;
    }

    /** The application was the limit, not the network: such an interval says nothing, and neither does the next. */
    void idle() {
        settling = Math.max(settling, 1);
    }
}
