package io.longhaul.gridftp.protocol;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Pattern;

/** Times as RFC 3659 section 2.3 writes them: {@code YYYYMMDDHHMMSS[.sss]}, in UTC. */
public final class Timestamps {
    private static final Pattern FORM = Pattern.compile("[0-9]{14}(\\.[0-9]{1,9})?");
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuuMMddHHmmss", Locale.ROOT);
    private static final int SECONDS_DIGITS = 14;
    private static final int NANO_DIGITS = 9;

    private Timestamps() {}

    /** Returns the time to the second. */
    public static String format(Instant time) {
        return SECONDS.format(time.atOffset(ZoneOffset.UTC));
    }

    /** Returns whether the text has the form of a time. */
    public static boolean isTime(String text) {
        return FORM.matcher(text).matches();
    }

    /** Reads a time; throws {@link ProtocolException}. */
    public static Instant parse(String text) {
        if (!isTime(text)) {
            throw new ProtocolException("time: expected YYYYMMDDHHMMSS[.sss]");
        }
        try {
            Instant seconds = LocalDateTime.parse(text.substring(0, SECONDS_DIGITS), SECONDS)
                    .toInstant(ZoneOffset.UTC);
            if (text.length() == SECONDS_DIGITS) {
                return seconds;
            }
            String fraction = text.substring(SECONDS_DIGITS + 1);
            return seconds.plusNanos(Long.parseLong(fraction + "0".repeat(NANO_DIGITS - fraction.length())));
        } catch (DateTimeException e) {
            throw new ProtocolException("time: expected YYYYMMDDHHMMSS of a day that exists");
        }
    }
}
