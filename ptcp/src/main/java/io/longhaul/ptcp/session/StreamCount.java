package io.longhaul.ptcp.session;

import java.time.Duration;

/**
 * Finds the fewest streams that carry what the path takes, while data flows: tries with fewer where few suffice, else doubles
 * their number as long as that brings throughput, goes back when it does not, and tries with fewer now and then.
 *
 * <h2>Design note</h2>
 * Loss makes the rate of one stream small and that of N streams N times as much, until link or machine are full; then
 * more streams bring nothing. So it climbs by factors of two, and compares rates of intervals in which the network and
 * not the application was the limit. Rates are noisy: a step up must bring a tenth, and the way down may cost a
 * twentieth, however many steps it has: each is compared with the rate before the first, or with that of the last step
 * up in vain where this was greater. After a step in vain it rests, longer each time. A path whose queue stands is
 * full: there it does not try more.
 *
 * <p>Each stream costs both ends and the system between something. Where nothing is lost, and a stream that carries twice as
 * much still has so little under way that it makes up for a loss in a few round trips, fewer are tried first, also where the
 * application and not the network is the limit; only if they carry less it climbs. When
 * those few have more under way later, or lose something, all are back at once.
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

    /** What a stream has under way with ease. */
    private static final long LIGHT_BYTES = 512 * 1024;

    /** Bytes/ns from which on what an application gives is a flow. */
    private static final double FLOW = 1e6 / 1e9;

    /** An end that sent less, and no flow, has no wish. */
    private static final long MEASURED_BYTES = 128 * 1024;

    /** When few carry so many times what they did when they were found to do, they may be too few. */
    private static final double SURPRISE = 2;

    /** How many intervals the first fewer have to carry as much: processors that are busy elsewhere make rates noisy. */
    private static final int PATIENCE_INTERVALS = 4;

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
    private Phase direction = Phase.DOWN;
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
    private boolean measured;
    private int vain; // intervals in which fewer carried less
    private boolean eased; // fewer than the first were found to do, with little under way
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

    /** Returns whether this end ever sent so much that its number means something. */
    boolean isMeasured() {
        return measured;
    }

    /**
     * What happened in an interval.
     *
     * @param bytes acknowledged
     * @param endNs when it ended
     * @param limited the network and not the application was the limit
     * @param roundTripNs of the path while it is empty; 0 while it is not known
     */
    record Interval(long bytes, long lengthNs, long endNs, boolean limited, Path path, long roundTripNs) {
        double rate() {
            return bytes / (double) lengthNs;
        }

        boolean isFull() {
            return path == Path.FULL;
        }

        boolean isLossy() {
            return path == Path.LOSSY;
        }

        /** Returns whether so many streams have no more under way than they have with ease, and lose nothing. */
        boolean isLight(int streams) {
            return !isLossy() && roundTripNs > 0 && rate() * roundTripNs <= LIGHT_BYTES * streams;
        }
    }

    /** Takes what one interval brought and returns the number to aim at. */
    int observe(Interval seen) {
        if (!isSearching()) {
            return target;
        }
        boolean flows = seen.rate() >= FLOW;
        boolean first = young && direction == Phase.DOWN && (phase == Phase.BASE || phase == Phase.DOWN);
        if (!seen.limited() && !(flows && first)) {
            settling = Math.max(settling, 1); // says nothing, and neither does the next
            return target;
        }
        measured |= flows || seen.bytes() >= MEASURED_BYTES;
        if (settling > 0) {
            settling--;
            return target;
        }
        remember(seen);
        switch (phase) {
            case BASE -> base(seen);
            case UP -> up(seen);
            case DOWN -> down(seen);
            case REST -> resting(seen);
        }
        return target;
    }

    private void remember(Interval seen) {
        if (seen.isFull()) {
            rateFull += (rateFull == 0 ? 1 : SMOOTHING) * (seen.rate() - rateFull);
            rateLately = seen.rate();
            slack = 0;
        } else {
            rateLately += SMOOTHING * (seen.rate() - rateLately);
            slack++;
        }
    }

    /** Returns whether its rate tells nothing of what more streams would bring. */
    private boolean isDeceiving(Interval seen) {
        return seen.isLossy() && young && target < UNSEEN;
    }

    private void base(Interval seen) {
        boolean grows = seen.rate() >= GAIN * rateBefore;
        boolean fewerFirst = direction == Phase.DOWN && seen.isLight(target / 2);
        if (fewerFirst && grows) {
            rateBefore = seen.rate();
        } else if (fewerFirst) {
            step(seen.rate(), seen);
        } else if (seen.limited()) {
            direction = Phase.UP;
            settle(seen, grows);
        }
    }

    private void settle(Interval seen, boolean grows) {
        if (seen.isFull()) {
            rateBefore = seen.rate();
            direction = Phase.DOWN;
            rest(seen, restNs);
        } else if (grows && !isDeceiving(seen)) {
            phase = Phase.BASE;
            rateBefore = seen.rate();
        } else {
            step(seen.rate(), seen);
        }
    }

    private void up(Interval seen) {
        if (unseen && target >= UNSEEN && !seen.isFull()) {
            rateBefore = seen.rate();
            rest(seen, CALM_NS);
        } else if (isDeceiving(seen)
                || seen.rate() >= GAIN * rateBefore
                || (seen.isFull() && !seen.isLight(target / 2))) {
            restNs = REST_NS;
            rateAbove = 0;
            settle(seen, true);
        } else {
            rateAbove = seen.rate();
            rateFull = 0;
            back(seen, Phase.DOWN);
        }
    }

    private void down(Interval seen) {
        if (!seen.limited() || seen.rate() >= COST * Math.max(rateBefore, rateAbove)) {
            vain = 0;
            if (young) {
                eased = true;
                rateBefore = Math.max(rateBefore, seen.rate());
            }
            if (young && !seen.isLight(target / 2)) {
                direction = Phase.UP;
                rest(seen, seen.limited() ? restNs : 0); // what more streams bring, only a limit tells
            } else {
                step(seen.rate(), seen);
            }
            return;
        }
        vain++;
        if (young && vain == PATIENCE_INTERVALS && !seen.isFull()) {
            target = before;
            climb();
        } else if (!young || vain == PATIENCE_INTERVALS) {
            back(seen, Phase.UP);
        }
    }

    private void climb() {
        phase = Phase.BASE;
        direction = Phase.UP;
        settling = STARTING_INTERVALS;
    }

    private void resting(Interval seen) {
        boolean fullNoMore = slack >= SLACK_INTERVALS && rateLately < FILLED * rateFull;
        boolean tooFew = !seen.isLight(target) || (!seen.isFull() && seen.rate() >= SURPRISE * rateBefore);
        if (eased && tooFew) {
            eased = false;
            young = true;
            target = Math.min(FIRST, most);
            climb();
        } else if (seen.isLossy() && (fullNoMore || seen.rate() < DECLINE * rateBefore) && target < most) {
            young = true;
            rateFull = 0;
            direction = Phase.UP;
            step(seen.rate(), seen);
        } else if (fullNoMore && target < most) {
            direction = Phase.UP;
            step(rateLately, seen);
        } else if (seen.endNs() - restUntilNs >= 0) {
            if (direction == Phase.UP && seen.isFull()) {
                direction = Phase.DOWN;
                rest(seen, restNs);
            } else {
                step(seen.rate(), seen);
            }
        }
    }

    private void step(double rate, Interval seen) {
        int to = direction == Phase.UP ? Math.min(2 * target, most) : Math.max(target / 2, 1);
        if (to == target) {
            direction = direction == Phase.UP ? Phase.DOWN : Phase.UP;
            rest(seen, restNs);
            return;
        }
        unseen = isDeceiving(seen);
        before = target;
        if (phase != Phase.DOWN) {
            rateBefore = rate;
        }
        target = to;
        phase = direction;
        if (direction == Phase.UP) {
            eased = false;
            settling = unseen ? 0 : STARTING_INTERVALS;
        } else {
            settling = 1;
        }
    }

    private void back(Interval seen, Phase next) {
        target = before;
        direction = next;
        rest(seen, restNs);
        restNs = Math.min(2 * restNs, MOST_REST_NS);
        settling = 1;
    }

    private void rest(Interval seen, long lengthNs) {
        phase = Phase.REST;
        restUntilNs = seen.endNs() + lengthNs;
        young = false;
        vain = 0;
    }
}
