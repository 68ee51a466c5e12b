package io.longhaul.storage;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The few buffers that writes past the page cache go through, outside of the heap and aligned as such writes need it. As many
 * as can be copied into at a time: a thread for each of thousands of subscriptions must not keep one of its own.
 *
 * <p>Java's channels have buffers of their own for arrays, which fail when an aligned one has to grow.
 */
final class AlignedBuffers {
    /** Bytes that each takes. */
    static final int BYTES = 1024 * 1024;

    private static final int MOST = Math.min(8, 2 * Runtime.getRuntime().availableProcessors());
    private static final ConcurrentLinkedQueue<ByteBuffer> FREE = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger MADE = new AtomicInteger();

    private AlignedBuffers() {}

    /** Returns one to give back, or null when all are taken. */
    static @Nullable ByteBuffer take() {
        ByteBuffer free = FREE.poll();
        if (free != null || MADE.getAndUpdate(made -> Math.min(MOST, made + 1)) >= MOST) {
            return free;
        }
        int alignment = DirectWrites.ALIGNMENT;
        return ByteBuffer.allocateDirect(BYTES + alignment).alignedSlice(alignment);
    }

    static void giveBack(ByteBuffer taken) {
        FREE.add(taken);
    }
}
