package io.longhaul.ptcp.contract;

import io.netty.buffer.Unpooled;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** Writes as fast as the stream takes it until it is told to finish. */
final class Sending {
    private static final int MOST_CHUNK = 300_000;
    private static final long PAUSE_NS = 500_000;
    private final Thread thread;
    private volatile boolean finished;
    private volatile long written;

    Sending(ByteStream to, long seed) {
        this.thread = new Thread(() -> run(to, seed), "test-sending");
        thread.start();
    }

    private void run(ByteStream to, long seed) {
        RandomBytes bytes = new RandomBytes(seed);
        SplittableRandom lengths = new SplittableRandom(seed + 17);
        while (!finished) {
            if (to.isWritable()) {
                int length = 1 + lengths.nextInt(MOST_CHUNK);
                to.write(Unpooled.wrappedBuffer(bytes.next(length)));
                written += length;
            } else {
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }

    /** Returns how many bytes were written. */
    long finish() throws InterruptedException {
        finished = true;
        thread.join();
        return written;
    }
}
