package io.longhaul.agent;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * From when on a late subscription catches up.
 *
 * @param at that time; empty when it is counted from the first start
 * @param ago how long before the first start; empty when the time is given
 */
public record Since(Optional<Instant> at, Optional<Duration> ago) {
    /** Throws {@link IllegalArgumentException} unless one of the two is there. */
    public Since {
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(ago, "ago");
        if (at.isPresent() == ago.isPresent()) {
            throw new IllegalArgumentException("since: expected a time or a duration, found " + at + " and " + ago);
        }
        ago.filter(Duration::isNegative).ifPresent(negative -> {
            throw new IllegalArgumentException("since: expected a duration of 0 or more, found " + negative);
        });
    }
}
