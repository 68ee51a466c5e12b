package io.longhaul.cli.option;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A point in time as people write it: {@code 24h} before now, {@code 2026-11-01} (UTC), {@code 2026-11-01T06:00:00Z}, or
 * {@code all} for the beginning of time.
 *
 * @param ago how long before now; empty when a time is given
 * @param at the time; empty when it is before now
 */
public record Since(Optional<Duration> ago, Optional<Instant> at) {

    /** Returns the time that is meant. */
    public Instant from(Instant now) {
        return ago.map(now::minus).or(() -> at).orElse(Instant.EPOCH);
    }

    /** Reads the written form; throws {@link IllegalArgumentException} that names what was expected. */
    public static Since parse(String text) {
        if (text.equals("all")) {
            return new Since(Optional.empty(), Optional.of(Instant.EPOCH));
        }
        try {
            return text.contains("-")
                    ? new Since(Optional.empty(), Optional.of(instant(text)))
                    : new Since(Optional.of(TimeSpan.parse(text)), Optional.empty());
        } catch (DateTimeParseException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "expected a duration like 24h, a date like 2026-11-01, a time like 2026-11-01T06:00:00Z or 'all', found '"
                            + text + "'",
                    e);
        }
    }

    private static Instant instant(String text) {
        return text.contains("T")
                ? Instant.parse(text)
                : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    /** Lets picocli read it. */
    public static final class Converter implements ITypeConverter<Since> {
        @Override
        public Since convert(String text) {
            try {
                return parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
