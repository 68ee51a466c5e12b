package io.longhaul.agent.publish;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Buffers for piece bodies, used again and again, within a budget of bytes; may be used from any thread.
 *
 * <p>The budget must hold all that is taken without an end in sight, so that takers wait only for buffers that are
 * certain to come back.
 */
final class PieceBuffers {
    private final long budgetBytes;
    private final Deque<ByteBuffer> idle = new ArrayDeque<>(); // guarded by this
    private long allocatedBytes; // guarded by this

    PieceBuffers(long budgetBytes) {
        this.budgetBytes = budgetBytes;
    }

    /** Returns an empty buffer of that capacity, waiting while the budget is used up. */
    synchronized ByteBuffer take(int capacity, Halt halt) throws InterruptedException {
        while (true) {
            ByteBuffer fitting = fitting(capacity);
            if (fitting != null) {
                return fitting.clear();
            }
            while (allocatedBytes + capacity > budgetBytes && !idle.isEmpty()) {
                allocatedBytes -= idle.removeLast().capacity();
            }
            if (allocatedBytes + capacity <= budgetBytes || allocatedBytes == 0) {
                ByteBuffer fresh = ByteBuffer.allocate(capacity); // may fail, and then takes nothing of the budget
                allocatedBytes += capacity;
                return fresh;
            }
            halt.await(this);
        }
    }

    private @Nullable ByteBuffer fitting(int capacity) {
        // By position, not by equals: buffers are equal when their bytes are.
        Iterator<ByteBuffer> buffers = idle.iterator();
        while (buffers.hasNext()) {
            ByteBuffer buffer = buffers.next();
            if (buffer.capacity() == capacity) {
                buffers.remove();
                return buffer;
            }
        }
        return null;
    }

    /** Takes back a buffer that {@link #take} gave; the empty body of a hole is ignored. */
    synchronized void release(ByteBuffer buffer) {
        if (buffer.capacity() > 0) {
            idle.addFirst(buffer);
            notifyAll();
        }
    }

    /** Returns the bytes of all buffers, idle or lent. */
    synchronized long allocatedBytes() {
        return allocatedBytes;
    }
}
