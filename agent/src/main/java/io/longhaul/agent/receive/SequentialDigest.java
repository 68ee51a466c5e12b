package io.longhaul.agent.receive;

import io.longhaul.storage.DiskFile;
import io.longhaul.storage.StorageException;
import io.longhaul.wire.Digests;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * The SHA-256 of a file whose bytes pass more or less in order.
 *
 * <p>Bytes at the current position are hashed as they pass. What passes ahead of a gap is remembered by its place only,
 * and read back once the gap has closed. Used by one thread at a time.
 */
final class SequentialDigest {
    private static final int CHUNK = 1024 * 1024;
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(64 * 1024).asReadOnlyBuffer();

    private final MessageDigest digest = Digests.sha256();
    private final TreeMap<Long, Integer> ahead = new TreeMap<>();
    private long position;

    long position() {
        return position;
    }

    /**
     * Takes bytes that were written to the file.
     *
     * @param body the bytes, or empty for a hole of this length
     * @param file where the bytes lie, to read back what passed ahead
     */
    void passed(long offset, int length, ByteBuffer body, DiskFile file) {
        if (offset != position) {
            if (offset > position) {
                ahead.put(offset, length);
            }
            return;
        }
        if (body.hasRemaining()) {
            digest.update(body.duplicate());
        } else {
            zeros(length);
        }
        position += length;
        Map.Entry<Long, Integer> next = ahead.firstEntry();
        while (next != null && next.getKey() <= position) {
            ahead.remove(next.getKey());
            if (next.getKey() == position) {
                readBack(file, position + next.getValue(), () -> false);
            }
            next = ahead.firstEntry();
        }
    }

    /** Reads the file on from the current position to the length given; stops with CLOSED when asked to. */
    void readBack(DiskFile file, long length, BooleanSupplier stopped) {
        ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(CHUNK, Math.max(1, length - position)));
        while (position < length) {
            if (stopped.getAsBoolean()) {
                throw new StorageException(
                        StorageException.Code.CLOSED, "verification stopped: the subscription closes");
            }
            chunk.clear().limit((int) Math.min(chunk.capacity(), length - position));
            int count = file.read(chunk, position);
            if (count <= 0) {
                throw new StorageException(
                        StorageException.Code.DAMAGED,
                        "part file: expected " + length + " bytes, found its end at " + position);
            }
            digest.update(chunk.flip());
            position += count;
        }
    }

    /** Returns the digest of what has passed in order, and resets. */
    byte[] finish() {
        position = 0;
        ahead.clear();
        return digest.digest();
    }

    private void zeros(int length) {
        ByteBuffer zeros = ZEROS.duplicate();
        for (int left = length; left > 0; left -= zeros.limit()) {
            zeros.clear().limit(Math.min(zeros.capacity(), left));
            digest.update(zeros);
        }
    }
}
