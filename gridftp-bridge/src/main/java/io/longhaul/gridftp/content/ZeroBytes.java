package io.longhaul.gridftp.content;

import io.longhaul.gridftp.post.MessageCodec;
import java.nio.ByteBuffer;

/** Finds ranges that need not be written or sent, since all of their bytes are zero. */
final class ZeroBytes {
    private static final ByteBuffer BLOCK =
            ByteBuffer.allocateDirect(MessageCodec.MAX_BLOCK_BYTES).asReadOnlyBuffer();

    private ZeroBytes() {}

    /** Returns so many zeros, at most a block. */
    static ByteBuffer of(int length) {
        return BLOCK.slice(0, length);
    }

    static boolean isAllZero(ByteBuffer bytes) {
        for (int at = bytes.position(); at < bytes.limit(); at += BLOCK.capacity()) {
            int length = Math.min(BLOCK.capacity(), bytes.limit() - at);
            if (bytes.slice(at, length).mismatch(BLOCK.slice(0, length)) >= 0) {
                return false;
            }
        }
        return true;
    }
}
