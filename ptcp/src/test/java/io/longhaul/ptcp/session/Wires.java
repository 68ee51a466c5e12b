package io.longhaul.ptcp.session;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Connections in memory that share an event loop, and the time there, which passes when the test says so. */
final class Wires {
    private static final Duration STEP = Duration.ofMillis(100);

    private final ByteBufAllocator allocator;
    private final EmbeddedChannel clock = new EmbeddedChannel();
    private final List<Wire> open = new ArrayList<>();
    private long nowNs;

    Wires() {
        this(UnpooledByteBufAllocator.DEFAULT);
    }

    Wires(ByteBufAllocator allocator) {
        this.allocator = allocator;
        clock.freezeTime();
    }

    Wire make() {
        Wire wire = new Wire(allocator, clock.eventLoop());
        open.add(wire);
        return wire;
    }

    /** Returns those that were open when time passed last, and those made since. */
    List<Wire> open() {
        return List.copyOf(open);
    }

    long nanoTime() {
        return nowNs;
    }

    /** Lets what is due happen, also when no time is to pass; of a longer time it happens in its order. */
    void pass(Duration time) {
        Duration left = time;
        do {
            Duration step = left.compareTo(STEP) < 0 ? left : STEP;
            nowNs += step.toNanos();
            clock.advanceTimeBy(step.toNanos(), TimeUnit.NANOSECONDS);
            clock.runPendingTasks();
            clock.runScheduledPendingTasks();
            left = left.minus(step);
        } while (!left.isZero());
        open.removeIf(wire -> {
            boolean gone = !wire.isOpen();
            if (gone) {
                wire.release();
            }
            return gone;
        });
    }

    /** Nothing happens for so long, as when the process was stopped. */
    void stop(Duration time) {
        nowNs += time.toNanos();
    }

    /** Ends all of them and gives their memory back. */
    void release() {
        open.forEach(Wire::kill);
        pass(Duration.ofMillis(1));
        open.forEach(Wire::release);
        open.clear();
    }
}
