package io.longhaul.ptcp.session;

import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory that the windows of all sessions share: what is promised to other ends is taken from here, whether they make use
 * of it or not. Thread-safe.
 */
final class WindowBudget {
    /** The other half is for what is read and written just now, and for what the application keeps. */
    static final WindowBudget PROCESS = new WindowBudget(PlatformDependent.maxDirectMemory() / 2);

    /** One session leaves most of what is free to those that come after it. */
    private static final int SHARE = 4;

    private final AtomicLong freeBytes;

    WindowBudget(long bytes) {
        this.freeBytes = new AtomicLong(bytes);
    }

    /**
     * Changes what one session has; returns what it has then.
     *
     * @param held what it has so far
     * @param least what it cannot give back, no more than it has
     * @param wanted what it would like to have; it gets no more than a share of what it could take
     */
    long renew(long held, long least, long wanted) {
        while (true) {
            long free = freeBytes.get();
            long granted = Math.max(least, Math.min(wanted, (free + held) / SHARE));
            if (granted == held || freeBytes.compareAndSet(free, free + held - granted)) {
                return granted;
            }
        }
    }

    long freeBytes() {
        return freeBytes.get();
    }
}
