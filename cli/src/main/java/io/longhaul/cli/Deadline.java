package io.longhaul.cli;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The end of the time that a command was given; endless when none was. */
final class Deadline {
    /** Long enough to be for ever, short enough to be added to any clock. */
    static final long FOREVER_NS = Long.MAX_VALUE / 4;

    private final LongSupplier nanoTime;
    private final long startNs;
    private final long lengthNs;

    private Deadline(LongSupplier nanoTime, long lengthNs) {
        this.nanoTime = nanoTime;
        this.startNs = nanoTime.getAsLong();
        this.lengthNs = lengthNs;
    }

    /** Starts now. */
    static Deadline in(Optional<Duration> timeout, LongSupplier nanoTime) {
        boolean endless = timeout.isEmpty() || timeout.get().toSeconds() > FOREVER_NS / 1_000_000_000L;
        return new Deadline(nanoTime, endless ? FOREVER_NS : timeout.get().toNanos());
    }

    /** Returns what is left, never negative. */
    long remainingNs() {
        return Math.max(0, lengthNs - (nanoTime.getAsLong() - startNs));
    }
}
