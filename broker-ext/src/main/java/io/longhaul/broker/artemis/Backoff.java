package io.longhaul.broker.artemis;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next try: twice as long each time, up to a bound, and never the same for all who wait.
 *
 * <p>One thread at a time.
 */
final class Backoff {
    /** What came of a try, the quickest first. */
    enum Outcome {
        /** Nobody was there, or a link fell: whoever is away may be back at once. */
        AWAY(100, 1000),
        /** The other one had no time to look: it will have in seconds, but each try may take a part of it. */
        BUSY(500, 4000),
        /**
         * The other one refused, and will until somebody changes something; each try costs it a look at a password, and all who
         * come from the same address a part of the tries that they have.
         */
        REFUSED(1000, 30_000);

        private final long leastMillis;
        private final long mostMillis;

        Outcome(long leastMillis, long mostMillis) {
            this.leastMillis = leastMillis;
            this.mostMillis = mostMillis;
        }

        long mostMillis() {
            return mostMillis;
        }
    }

    private final int places;
    private final RandomGenerator random;
    private final Deque<Outcome> last = new ArrayDeque<>(); // one for each place at most
    private long millis = Outcome.AWAY.leastMillis;

    /** Takes how many places are tried in turn: one of a pair refuses, and the other one does not listen. */
    Backoff(int places, RandomGenerator random) {
        this.places = places;
        this.random = random;
    }

    /** Returns the pause after a try. */
    long next(Outcome outcome) {
        last.addLast(outcome);
        if (last.size() > places) {
            last.removeFirst();
        }
        Outcome slowest = Collections.max(last);
        long pause = Math.max(slowest.leastMillis, Math.min(millis, slowest.mostMillis));
        millis = 2 * pause;
        return pause / 2 + random.nextLong(pause / 2 + 1);
    }

    /** A try was good, so that nobody refuses any more; the next one comes soon if what came of it lasted. */
    void succeeded(boolean lasted) {
        last.clear();
        if (lasted) {
            millis = Outcome.AWAY.leastMillis;
        }
    }
}
