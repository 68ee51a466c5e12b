package io.longhaul.cli.option;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as people write them: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 1h}, {@code 2d}, {@code 1h30m}. */
public final class TimeSpan implements ITypeConverter<Duration> {
    private static final Pattern WHOLE = Pattern.compile("(?:[0-9]{1,12} ?(?:ms|s|m|h|d) ?)+");
    private static final Pattern PART = Pattern.compile("([0-9]{1,12}) ?(ms|s|m|h|d)");
    private static final Map<String, Duration> UNITS = Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));
    private static final Duration LONGEST = Duration.ofDays(36_500);

    /** Reads the written form; throws {@link IllegalArgumentException} that names what was expected. */
    public static Duration parse(String text) {
        if (!WHOLE.matcher(text.strip()).matches()) {
            throw new IllegalArgumentException("expected a duration like 500ms, 30s, 5m or 1h, found '" + text + "'");
        }
        Duration sum = Duration.ZERO;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            sum = sum.plus(
                    UNITS.getOrDefault(part.group(2), Duration.ZERO).multipliedBy(Long.parseLong(part.group(1))));
        }
        if (sum.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("expected a duration below 100 years, found '" + text + "'");
        }
        return sum;
    }

    @Override
    public Duration convert(String text) {
        try {
            return parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
