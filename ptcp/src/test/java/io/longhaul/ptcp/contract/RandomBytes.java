package io.longhaul.ptcp.contract;

import java.util.SplittableRandom;

/** An endless stream of bytes that a seed gives, cut anywhere. */
final class RandomBytes {
    private final SplittableRandom random;
    private long word;
    private int left;

    RandomBytes(long seed) {
        this.random = new SplittableRandom(seed);
    }

    byte[] next(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            if (left == 0) {
                word = random.nextLong();
                left = Long.BYTES;
            }
            bytes[i] = (byte) word;
            word >>>= Byte.SIZE;
            left--;
        }
        return bytes;
    }
}
