package io.longhaul.broker.artemis;

import java.util.random.RandomGenerator;

/**
 * How long to wait before the next try: twice as long each time, up to a bound, and never the same for all who wait.
 *
 * <p>Whoever is away may be back at once. Who refuses goes on to until somebody changes something, and each try costs it a
 * look at a password, and all who come from the same address a part of the tries that they have. One thread at a time.
 */
final class Backoff {
    static final long LEAST_MILLIS = 100;
    static final long MOST_MILLIS = 1000;
    static final long MOST_REFUSED_MILLIS = 30_000;

    private final int places;
    private final RandomGenerator random;
    private long millis = LEAST_MILLIS;
    private int triesSinceRefusal;

    /** Takes how many places are tried in turn: one of a pair refuses, and the other one does not listen. */
    Backoff(int places, RandomGenerator random) {
        this.places = places;
        this.random = random;
        this.triesSinceRefusal = places;
    }

    /** Returns the pause after a try that was refused, or came to nothing else. */
    long next(boolean refused) {
        triesSinceRefusal = refused ? 0 : triesSinceRefusal + 1;
        boolean slow = triesSinceRefusal < places;
        long pause =
                Math.max(slow ? MOST_MILLIS : LEAST_MILLIS, Math.min(millis, slow ? MOST_REFUSED_MILLIS : MOST_MILLIS));
        millis = 2 * pause;
        return pause / 2 + random.nextLong(pause / 2 + 1);
    }

    /** A try was good, so that nobody refuses any more; the next one comes soon if what came of it lasted. */
    void succeeded(boolean lasted) {
        triesSinceRefusal = places;
        if (lasted) {
            millis = LEAST_MILLIS;
        }
    }
}
