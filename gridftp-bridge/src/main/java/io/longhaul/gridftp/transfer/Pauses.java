package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Growing pauses between tries: a second, then twice as long each time, up to half a minute. */
final class Pauses {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private Duration next = FIRST;

    /**
     * Returns how long a file waits of which somebody was told that it will arrive, when a person has to see to what stands in its
     * way; empty for other failures.
     */
    static Optional<Duration> untilSeenTo(@Nullable Throwable failure) {
        if (failure == null) {
            return Optional.empty();
        }
        return switch (World.failure(failure).code()) {
            case NO_SPACE, LASTING -> Optional.of(LONGEST);
            case NOT_LOGGED_IN -> Optional.of(BackendException.LOGIN_PAUSE);
            default -> Optional.empty();
        };
    }

    /** Returns whether it is tried again by who is asked for it once more. */
    static boolean mayPass(BackendException failure) {
        return failure.code() == Code.UNAVAILABLE || untilSeenTo(failure).isPresent();
    }

    Duration next() {
        Duration pause = next;
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
        return pause;
    }

    /** It works again. */
    void reset() {
        next = FIRST;
    }
}
