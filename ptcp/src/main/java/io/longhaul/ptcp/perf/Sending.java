package io.longhaul.ptcp.perf;

import io.longhaul.ptcp.PtcpSession;
import java.util.function.LongSupplier;

/** Writes test bytes as fast as the session takes them, until the order is done; on the session's event loop only. */
final class Sending {
    /** Written in one go; then the event loop may do something else, such as to read acknowledgements. */
    private static final int BURST_RECORDS = 8;

    private final PtcpSession session;
    private final TestBytes testBytes;
    private final PerfOrder order;
    private final LongSupplier nanoTime;
    private final Runnable ended;
    private long startNs;
    private long endNs;
    private long bytes;
    private boolean over;
    private boolean pushing;
    private boolean planned;

    /** Takes what is told once, after the last test bytes. */
    Sending(PtcpSession session, TestBytes testBytes, PerfOrder order, LongSupplier nanoTime, Runnable ended) {
        this.session = session;
        this.testBytes = testBytes;
        this.order = order;
        this.nanoTime = nanoTime;
        this.ended = ended;
    }

    void start() {
        startNs = nanoTime.getAsLong();
        push();
    }

    /** Goes on; what it writes may make the session call it again, which it does not follow. */
    void push() {
        if (over || pushing) {
            return;
        }
        pushing = true;
        for (int i = 0; i < BURST_RECORDS && !over && session.isWritable(); i++) {
            pushOne();
        }
        pushing = false;
        if (!over && !planned && session.isWritable()) {
            planned = true;
            session.executor().execute(() -> {
                planned = false;
                push();
            });
        }
    }

    private void pushOne() {
        boolean timed = order.limit() == PerfOrder.Limit.NANOS;
        long left = timed ? TestBytes.WHOLE : order.amount() - bytes;
        if (timed ? nanoTime.getAsLong() - startNs >= order.amount() : left <= 0) {
            end();
            return;
        }
        int count = (int) Math.min(left, TestBytes.WHOLE);
        bytes += count;
        testBytes.write(session, count);
    }

    /** Writes no more; also when the session takes nothing, so that a slow link does not make the test longer. */
    void end() {
        if (!over) {
            over = true;
            endNs = nanoTime.getAsLong();
            ended.run();
        }
    }

    long startNs() {
        return startNs;
    }

    long bytes() {
        return bytes;
    }

    long nanos() {
        return endNs - startNs;
    }
}
