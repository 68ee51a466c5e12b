package io.longhaul.agent;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How long an archive keeps transfers. The oldest go first; what has been promised to somebody stays until it has its
 * receipt.
 *
 * @param longest what has been here for longer goes; empty for ever
 * @param mostBytes while there are more bytes of files than these, the oldest goes; empty for any number
 */
public record Retention(Optional<Duration> longest, OptionalLong mostBytes) {
    /** Keeps everything. */
    public static final Retention FOR_EVER = new Retention(Optional.empty(), OptionalLong.empty());

    /** Throws {@link IllegalArgumentException} for less than nothing. */
    public Retention {
        Objects.requireNonNull(longest, "longest");
        Objects.requireNonNull(mostBytes, "mostBytes");
        if (longest.isPresent() && longest.get().isNegative()) {
            throw new IllegalArgumentException("longest: expected at least 0 s, found " + longest.get());
        }
        if (mostBytes.isPresent() && mostBytes.getAsLong() < 0) {
            throw new IllegalArgumentException("mostBytes: expected at least 0, found " + mostBytes.getAsLong());
        }
    }

    /** Returns it with a time after which a transfer goes. */
    public Retention withLongest(Duration time) {
        return new Retention(Optional.of(Objects.requireNonNull(time, "longest")), mostBytes);
    }

    /** Returns it with a number of bytes beyond which the oldest transfer goes. */
    public Retention withMostBytes(long bytes) {
        return new Retention(longest, OptionalLong.of(bytes));
    }
}
