package io.longhaul.ptcp.session;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When a session looks after its limits and streams: often while it sends, else rarely, as each look wakes its thread and a
 * broker has a crowd of sessions that rest or only receive. Event loop only.
 */
final class Ticks {
    /** A window that grows doubles in a round trip, and what the sockets hold grows with it. */
    private static final long OFTEN_NS = Duration.ofMillis(100).toNanos();

    /** So much later a limit may be seen to be over; those that are not set are seconds. */
    private static final long RARELY_NS = Duration.ofMillis(500).toNanos();

    private final SessionLoop loop;
    private final Runnable task;
    private final BooleanSupplier busy;
    private @Nullable Future<?> rarely;
    private @Nullable Future<?> often;

    /** Takes what to run, and what tells whether it must run often. */
    Ticks(SessionLoop loop, Runnable task, BooleanSupplier busy) {
        this.loop = loop;
        this.task = task;
        this.busy = busy;
    }

    void start() {
        rarely = loop.every(this::restingTick, RARELY_NS);
        hurry();
    }

    /** Runs it often from now on, until nothing is busy any more. */
    void hurry() {
        if (rarely != null && often == null) {
            often = loop.every(this::busyTick, OFTEN_NS);
        }
    }

    void hurryWhenBusy() {
        if (often == null && busy.getAsBoolean()) {
            hurry();
        }
    }

    private void restingTick() {
        if (often == null) {
            task.run();
        }
    }

    private void busyTick() {
        task.run();
        if (!busy.getAsBoolean()) {
            cancel(often);
            often = null;
        }
    }

    void end() {
        cancel(rarely);
        cancel(often);
        rarely = null;
        often = null;
    }

    private static void cancel(@Nullable Future<?> ticks) {
        if (ticks != null) {
            ticks.cancel(false);
        }
    }
}
