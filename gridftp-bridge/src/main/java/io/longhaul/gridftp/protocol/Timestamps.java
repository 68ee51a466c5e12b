package io.longhaul.gridftp.protocol;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Times as RFC 3659 section 2.3 writes them: {@code YYYYMMDDHHMMSS[.sss]}, in UTC. Read without a pattern, since a listing has
 * many; nor written with one, in years of four digits.
 */
public final class Timestamps {
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuuMMddHHmmss", Locale.ROOT);
    private static final int SECONDS_DIGITS = 14;
    private static final int NANO_DIGITS = 9;
    private static final int DECIMAL = 10;
    private static final long PART = 100; // two digits
    private static final int LEAST_YEAR = 1000;
    private static final int MOST_YEAR = 9999;

    private Timestamps() {}

    /** Returns the time to the second. */
    public static String format(Instant time) {
        LocalDateTime at = LocalDateTime.ofEpochSecond(time.getEpochSecond(), 0, ZoneOffset.UTC);
        if (at.getYear() < LEAST_YEAR || at.getYear() > MOST_YEAR) {
            return SECONDS.format(at);
        }
        long day = (at.getYear() * PART + at.getMonthValue()) * PART + at.getDayOfMonth();
        return Long.toString(((day * PART + at.getHour()) * PART + at.getMinute()) * PART + at.getSecond());
    }

    /** Returns whether the text has the form of a time. */
    public static boolean isTime(String text) {
        boolean hasFraction = text.length() > SECONDS_DIGITS + 1
                && text.length() <= SECONDS_DIGITS + 1 + NANO_DIGITS
                && text.charAt(SECONDS_DIGITS) == '.';
        if (text.length() != SECONDS_DIGITS && !hasFraction) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (i != SECONDS_DIGITS && (text.charAt(i) < '0' || text.charAt(i) > '9')) {
                return false;
            }
        }
        return true;
    }

    /** Like {@link #parse}, but of what is no time the epoch: servers say all kinds of things. */
    public static Instant parseOrEpoch(String text) {
        try {
            return parse(text);
        } catch (ProtocolException e) {
            return Instant.EPOCH;
        }
    }

    /** Reads a time; throws {@link ProtocolException}. */
    public static Instant parse(String text) {
        if (!isTime(text)) {
            throw new ProtocolException("time: expected YYYYMMDDHHMMSS[.sss]");
        }
        int nanos = 0;
        for (int i = SECONDS_DIGITS + 1; i <= SECONDS_DIGITS + NANO_DIGITS; i++) {
            nanos = nanos * DECIMAL + (i < text.length() ? text.charAt(i) - '0' : 0);
        }
        try {
            return LocalDateTime.of(
                            number(text, 0, 4),
                            number(text, 4, 6),
                            number(text, 6, 8),
                            number(text, 8, 10),
                            number(text, 10, 12),
                            number(text, 12, SECONDS_DIGITS),
                            nanos)
                    .toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw new ProtocolException("time: expected YYYYMMDDHHMMSS of a day that exists");
        }
    }

    private static int number(String text, int start, int end) {
        return Integer.parseInt(text, start, end, DECIMAL);
    }
}
