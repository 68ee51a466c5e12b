package io.longhaul.gridftp.content;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Sums of parts to sums of wholes, without the bytes.
 *
 * <p>A CRC is the remainder of a polynomial. Behind n more bytes the first part's remainder is multiplied by x^(8n); with the
 * powers x^(2^k) at hand that takes one multiplication for each bit of n. All polynomials are reflected: bit 31 is x^0.
 */
final class Crc32cSums {
    private static final int POLYNOMIAL = 0x82F63B78;
    private static final int ONE = 1 << 31;
    private static final int[] POWERS = powers();

    private Crc32cSums() {}

    private static int[] powers() {
        int[] powers = new int[Long.SIZE + 3];
        powers[0] = ONE >>> 1;
        for (int k = 1; k < powers.length; k++) {
            powers[k] = multiply(powers[k - 1], powers[k - 1]);
        }
        return powers;
    }

    private static int multiply(int a, int b) {
        int product = 0;
        int factor = b;
        for (int bit = ONE; bit != 0; bit >>>= 1) {
            if ((a & bit) != 0) {
                product ^= factor;
            }
            factor = (factor & 1) == 0 ? factor >>> 1 : factor >>> 1 ^ POLYNOMIAL;
        }
        return product;
    }

    /** Returns the sum of bytes with the sum {@code first}, followed by so many with the sum {@code second}. */
    static int combine(int first, int second, long secondLength) {
        int shift = ONE;
        long left = secondLength;
        for (int k = 3; left != 0; k++) {
            if ((left & 1) != 0) {
                shift = multiply(POWERS[k], shift);
            }
            left >>>= 1;
        }
        return multiply(shift, first) ^ second;
    }

    /** Returns the sum of the remaining bytes, which stay so. */
    static int of(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }
}
