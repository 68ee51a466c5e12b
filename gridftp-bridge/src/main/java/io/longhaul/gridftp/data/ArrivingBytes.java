package io.longhaul.gridftp.data;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What all uploads together have on their way from the network to the disk: each has its own bound, but many that fill it would
 * fill the memory. Thread-safe.
 */
public final class ArrivingBytes {
    private final long most;
    private final AtomicLong now = new AtomicLong();

    /** Begins with none. */
    public ArrivingBytes(long most) {
        this.most = most;
    }

    /** So many more; fewer when negative. */
    void add(long bytes) {
        now.addAndGet(bytes);
    }

    /** Returns whether each upload should make do with little. */
    boolean isFull() {
        return now.get() > most;
    }
}
