package io.longhaul.gridftp.topic;

import io.longhaul.gridftp.Patience;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Time that passes when the test says so. */
final class ManualTime extends Clock implements World.Delay {
    private record Due(Instant when, Runnable action) {}

    private final List<Due> waiting = new ArrayList<>(); // guarded by this
    private Instant now = Instant.parse("2026-01-01T00:00:00Z"); // guarded by this

    @Override
    public synchronized void call(Duration after, Runnable action) {
        waiting.add(new Due(now.plus(after), action));
    }

    /** Lets a second pass, this many times. */
    void pass(Duration time) {
        for (long second = 0; second < time.toSeconds(); second++) {
            List<Due> due;
            synchronized (this) {
                now = now.plusSeconds(1);
                due = waiting.stream().filter(each -> !each.when().isAfter(now)).toList();
                waiting.removeAll(due);
            }
            due.forEach(each -> each.action().run());
        }
    }

    /** Lets this much time pass again and again until it is so: who sets the next timer may be late. */
    void passUntil(Duration step, BooleanSupplier reached) {
        Patience.await().until(() -> {
            pass(step);
            return reached.getAsBoolean();
        });
    }

    synchronized long nanoTime() {
        return Duration.between(Instant.EPOCH, now).toNanos();
    }

    @Override
    public synchronized Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException();
    }
}
