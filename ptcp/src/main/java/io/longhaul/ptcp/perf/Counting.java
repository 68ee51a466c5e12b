package io.longhaul.ptcp.perf;

import java.util.function.LongSupplier;

/**
 * Counts test bytes from the order's arrival until the order's time is over; on the session's event loop only.
 *
 * <p>What comes later does not count: else the bytes that still lie in buffers when the sender stops would make a link
 * seem faster or a test longer than it is.
 */
final class Counting {
    private final PerfOrder order;
    private final LongSupplier nanoTime;
    private final long startNs;
    private long bytes;
    private long nanos = 1;
    private boolean over;

    /** Starts now. */
    Counting(PerfOrder order, LongSupplier nanoTime) {
        this.order = order;
        this.nanoTime = nanoTime;
        this.startNs = nanoTime.getAsLong();
    }

    void add(int count) {
        if (over) {
            return;
        }
        long sinceNs = Math.max(1, nanoTime.getAsLong() - startNs);
        if (order.limit() == PerfOrder.Limit.NANOS && sinceNs > order.amount()) {
            over = true;
            nanos = order.amount();
        } else {
            bytes += count;
            nanos = sinceNs;
        }
    }

    boolean isOver() {
        return over;
    }

    long startNs() {
        return startNs;
    }

    long bytes() {
        return bytes;
    }

    /** Returns the time from the start to the last byte that counts, at least 1. */
    long nanos() {
        return nanos;
    }
}
