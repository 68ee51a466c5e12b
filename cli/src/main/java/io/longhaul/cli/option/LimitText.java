package io.longhaul.cli.option;

import io.longhaul.broker.limits.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Limits as people write them: {@code rate=50MiB,transfers=4,backlog=10GiB,pieces=200}, any of them.
 *
 * @param amounts what is said, in order
 */
public record LimitText(List<Amount> amounts) {
    private static final Set<String> SIZES = Set.of("rate", "backlog");

    /** One limit: which of {@link Limit#KEYS}, and how much. */
    public record Amount(String key, long value) {}

    public LimitText {
        amounts = List.copyOf(amounts);
    }

    /** Adds this to what else is said. */
    public Limit addTo(Limit before) {
        Limit sum = before;
        for (Amount each : amounts) {
            sum = sum.with(each.key(), each.value());
        }
        return sum;
    }

    /** Reads the written form; throws {@link IllegalArgumentException} that names what was expected. */
    public static LimitText parse(String text) {
        List<Amount> amounts = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int sign = part.indexOf('=');
            if (sign < 0) {
                throw new IllegalArgumentException(
                        "expected limits like rate=50MiB,transfers=4,backlog=10GiB,pieces=200, found '" + text + "'");
            }
            String key = part.substring(0, sign).strip();
            if (!Limit.KEYS.contains(key)) {
                throw new IllegalArgumentException("unknown limit '" + key + "'" + NearestKey.hint(key, Limit.KEYS));
            }
            if (amounts.stream().anyMatch(each -> each.key().equals(key))) {
                throw new IllegalArgumentException("limit " + key + ": expected once, found twice in '" + text + "'");
            }
            amounts.add(new Amount(key, value(key, part.substring(sign + 1).strip())));
        }
        LimitText limits = new LimitText(amounts);
        limits.addTo(Limit.NONE);
        return limits;
    }

    private static long value(String key, String text) {
        try {
            if (SIZES.contains(key)) {
                return ByteSize.parse(text).bytes();
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("limit " + key + ": " + e.getMessage(), e);
        }
        if (!text.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException("limit " + key + ": expected a whole number, found '" + text + "'");
        }
        return Long.parseLong(text);
    }

    /** Lets picocli read it. */
    public static final class Converter implements ITypeConverter<LimitText> {
        @Override
        public LimitText convert(String text) {
            try {
                return parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
