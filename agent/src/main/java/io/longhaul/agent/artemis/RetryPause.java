package io.longhaul.agent.artemis;

import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.LinkException.Code;

/**
 * How long to wait before the next try to connect: twice as long each time, up to a bound. A broker that is away may be back
 * at once; one that refuses a login goes on to until somebody changes something, and one that has too many of them gets more
 * by each try. One thread at a time.
 */
final class RetryPause {
    static final long LEAST_MILLIS = 100;
    static final long MOST_MILLIS = 250;
    static final long LEAST_REFUSED_MILLIS = 1000;
    static final long MOST_REFUSED_MILLIS = 30_000;

    private long millis = LEAST_MILLIS;

    /** Returns the pause after a try that failed so. */
    long next(LinkException failure) {
        boolean refused = failure.code() == Code.UNAUTHENTICATED
                || failure instanceof BusyBroker
                || failure instanceof RefusingProxy;
        long least = refused ? LEAST_REFUSED_MILLIS : LEAST_MILLIS;
        long most = refused ? MOST_REFUSED_MILLIS : MOST_MILLIS;
        long pause = Math.max(least, Math.min(millis, most));
        millis = 2 * pause;
        return pause;
    }
}
