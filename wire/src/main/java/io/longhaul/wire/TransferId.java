package io.longhaul.wire;

import java.util.random.RandomGenerator;

/**
 * The 128-bit identity of a transfer, written as 32 lower-case hexadecimal digits.
 *
 * <p>The first 48 bits are the publisher's clock in milliseconds, so that identities sort roughly by age; the other 80
 * bits are random. Nothing may rely on the clock part: the order of two transfers is given by the broker. Only where that is lost
 * does the identity stand in for it.
 */
public record TransferId(long high, long low) implements Comparable<TransferId> {

    /** Makes a new identity from the time in milliseconds since the epoch and a source of random bits. */
    public static TransferId of(long epochMillis, RandomGenerator random) {
        return new TransferId((epochMillis << 16) | (random.nextInt() & 0xFFFFL), random.nextLong());
    }

    /** Reads the form that {@link #toString()} writes; throws {@link WireException} for anything else. */
    public static TransferId parse(String text) {
        if (!isValid(text)) {
            throw new WireException(
                    "transfer id: expected 32 lower-case hexadecimal digits, found " + Names.shown(text));
        }
        return new TransferId(
                Long.parseUnsignedLong(text.substring(0, 16), 16), Long.parseUnsignedLong(text.substring(16), 16));
    }

    /** Whether {@link #parse} reads it. */
    public static boolean isValid(String text) {
        return text.length() == 32 && text.chars().allMatch(TransferId::isLowerHex);
    }

    private static boolean isLowerHex(int c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    }

    @Override
    public int compareTo(TransferId other) {
        int byHigh = Long.compareUnsigned(high, other.high);
        return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
    }

    @Override
    public String toString() {
        return hex(high) + hex(low);
    }

    private static String hex(long value) {
        String digits = Long.toHexString(value);
        return "0".repeat(16 - digits.length()) + digits;
    }
}
