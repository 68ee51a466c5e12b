package io.longhaul.ptcp.contract;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Compares what comes with what should come, byte for byte; thread-safe. */
final class Received {
    private final RandomBytes expected;
    private final AtomicReference<@Nullable String> difference = new AtomicReference<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile long count;
    private volatile @Nullable Throwable cause;

    /** Takes the seed of the other end's bytes. */
    Received(long seed) {
        this.expected = new RandomBytes(seed);
    }

    void take(ByteBuf bytes) {
        long at = count;
        int length = bytes.readableBytes();
        byte[] found = new byte[length];
        bytes.readBytes(found);
        byte[] should = expected.next(length);
        int mismatch = java.util.Arrays.mismatch(found, should);
        if (mismatch >= 0) {
            difference.compareAndSet(
                    null, "at " + (at + mismatch) + ": expected " + should[mismatch] + ", found " + found[mismatch]);
        }
        count = at + length;
    }

    void ended(@Nullable Throwable why) {
        cause = why;
        closed.countDown();
    }

    long count() {
        return count;
    }

    @Nullable
    String difference() {
        return difference.get();
    }

    CountDownLatch closed() {
        return closed;
    }

    @Nullable
    Throwable cause() {
        return cause;
    }
}
