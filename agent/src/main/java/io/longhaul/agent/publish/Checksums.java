package io.longhaul.agent.publish;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** What is asked of a piece's bytes. */
final class Checksums {
    /** Small enough to stay in a core's cache while it is compared again and again. */
    private static final byte[] ZEROS = new byte[32 * 1024];

    private Checksums() {}

    /** Returns the CRC-32C of the buffer's remaining bytes. */
    static int crc32c(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    /** Whether all remaining bytes of a heap buffer are zero; ends at the first that is not. */
    static boolean isZero(ByteBuffer bytes) {
        byte[] array = bytes.array();
        int from = bytes.arrayOffset() + bytes.position();
        int end = bytes.arrayOffset() + bytes.limit();
        for (int at = from; at < end; at += ZEROS.length) {
            int count = Math.min(ZEROS.length, end - at);
            if (Arrays.mismatch(array, at, at + count, ZEROS, 0, count) >= 0) {
                return false;
            }
        }
        return true;
    }
}
