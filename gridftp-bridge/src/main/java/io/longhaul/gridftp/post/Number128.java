package io.longhaul.gridftp.post;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/**
 * What a content or a call is known by at both ends: 16 bytes that nobody chooses twice.
 *
 * @param high the first eight bytes
 * @param low the last eight bytes
 */
public record Number128(long high, long low) {
    /** Length in a message. */
    public static final int BYTES = 16;

    /** Returns a number that has not been used. */
    public static Number128 next(RandomGenerator random) {
        return new Number128(random.nextLong(), random.nextLong());
    }

    /**
     * Reads 32 lower-case hexadecimal digits.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static Number128 of(String digits) {
        if (digits.length() != 2 * BYTES) {
            throw new IllegalArgumentException(
                    "number: expected " + 2 * BYTES + " hexadecimal digits, found " + digits.length());
        }
        return new Number128(
                HexFormat.fromHexDigitsToLong(digits.substring(0, BYTES)),
                HexFormat.fromHexDigitsToLong(digits.substring(BYTES)));
    }

    static Number128 read(ByteBuffer in) {
        return new Number128(in.getLong(), in.getLong());
    }

    void write(ByteBuffer out) {
        out.putLong(high).putLong(low);
    }

    /** Returns 32 lower-case hexadecimal digits. */
    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }
}
