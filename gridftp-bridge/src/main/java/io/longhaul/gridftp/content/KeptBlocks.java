package io.longhaul.gridftp.content;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;

/**
 * Blocks of one content that are on its disk and in memory until they have been read: a reader who follows the writer needs
 * neither the disk nor the page cache. Thread-safe.
 */
final class KeptBlocks {
    /** So that one content whose reader stands still leaves room to others. */
    private static final int MOST_BYTES = 8 * 1024 * 1024;

    private final Semaphore room;
    private final TreeMap<Long, ByteBuffer> blocks = new TreeMap<>(); // by position; guarded by this
    private int bytes; // guarded by this
    private boolean ended; // guarded by this

    /**
     * Keeps nothing yet.
     *
     * @param room for the bytes of all contents
     */
    KeptBlocks(Semaphore room) {
        this.room = room;
    }

    /** Takes room for a block; returns whether there is any. */
    synchronized boolean take(int length) {
        if (ended || bytes + length > MOST_BYTES || !room.tryAcquire(length)) {
            return false;
        }
        bytes += length;
        return true;
    }

    /** Gives back what was taken for a block that is not kept after all. */
    synchronized void give(int length) {
        bytes -= length;
        room.release(length);
    }

    /** Keeps a block for which room was taken. Its bytes are not the caller's any more. */
    synchronized void put(long position, ByteBuffer block) {
        if (ended) {
            give(block.remaining());
            return;
        }
        ByteBuffer before = blocks.put(position, block.slice());
        if (before != null) {
            give(before.remaining());
        }
    }

    /**
     * Fills the buffer with what is here from a position on, to the end of one block at most; who reads that far does not come
     * again.
     *
     * @return how many bytes these were
     */
    synchronized int read(long position, ByteBuffer into) {
        Map.Entry<Long, ByteBuffer> found = blocks.floorEntry(position);
        if (found == null) {
            return 0;
        }
        ByteBuffer block = found.getValue();
        long start = position - found.getKey();
        if (start >= block.remaining()) {
            return 0;
        }
        int length = (int) Math.min(into.remaining(), block.remaining() - start);
        into.put(block.slice((int) start, length));
        if (start + length == block.remaining()) {
            blocks.remove(found.getKey());
            give(block.remaining());
        }
        return length;
    }

    /** Returns the position of the first block behind one. */
    synchronized long next(long position) {
        Long next = blocks.higherKey(position);
        return next == null ? Long.MAX_VALUE : next;
    }

    /** Forgets all that is here. */
    synchronized void forget() {
        blocks.values().forEach(block -> give(block.remaining()));
        blocks.clear();
    }

    /** Forgets all, and keeps nothing any more. */
    synchronized void end() {
        ended = true;
        forget();
    }
}
