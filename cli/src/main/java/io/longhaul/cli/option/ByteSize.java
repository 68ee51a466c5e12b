package io.longhaul.cli.option;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * An amount of bytes as people write it: {@code 4096}, {@code 64MiB}, {@code 1.5GB}, {@code 512k}.
 *
 * <p>Units with an {@code i} count in 1024s, the others in 1000s; case does not matter.
 */
public record ByteSize(long bytes) {
    private static final Pattern FORM = Pattern.compile("([0-9]+(?:\\.[0-9]+)?) ?([A-Za-z]*)");
    private static final Map<String, Long> UNITS = Map.ofEntries(
            Map.entry("", 1L),
            Map.entry("b", 1L),
            Map.entry("k", 1_000L),
            Map.entry("kb", 1_000L),
            Map.entry("m", 1_000_000L),
            Map.entry("mb", 1_000_000L),
            Map.entry("g", 1_000_000_000L),
            Map.entry("gb", 1_000_000_000L),
            Map.entry("t", 1_000_000_000_000L),
            Map.entry("tb", 1_000_000_000_000L),
            Map.entry("ki", 1L << 10),
            Map.entry("kib", 1L << 10),
            Map.entry("mi", 1L << 20),
            Map.entry("mib", 1L << 20),
            Map.entry("gi", 1L << 30),
            Map.entry("gib", 1L << 30),
            Map.entry("ti", 1L << 40),
            Map.entry("tib", 1L << 40));

    /** Reads the written form; throws {@link IllegalArgumentException} that names what was expected. */
    public static ByteSize parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        Long unit = form.matches() ? UNITS.get(form.group(2).toLowerCase(Locale.ROOT)) : null;
        if (unit == null) {
            throw new IllegalArgumentException("expected a size like 4096, 64MiB or 1GB, found '" + text + "'");
        }
        BigDecimal bytes =
                new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(unit)).setScale(0, RoundingMode.DOWN);
        if (bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException("expected a size below 8 EiB, found '" + text + "'");
        }
        return new ByteSize(bytes.longValueExact());
    }

    /** Lets picocli read sizes. */
    public static final class Converter implements ITypeConverter<ByteSize> {
        @Override
        public ByteSize convert(String text) {
            try {
                return parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
