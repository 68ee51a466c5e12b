package io.longhaul.gridftp.post;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A world whose time passes only when the test says so, and in which everything happens on the test's thread, in an order
 * that depends on nothing else. Also its clock.
 */
public final class FakeScheduler extends AbstractExecutorService implements ScheduledExecutorService {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final PriorityQueue<Task<?>> tasks = new PriorityQueue<>(
            Comparator.comparingLong((Task<?> task) -> task.dueNs).thenComparing(task -> task.number));
    private final List<Throwable> failures = new ArrayList<>();
    private long nowNs;
    private long number;

    private final class Task<T> extends FutureTask<T> implements RunnableScheduledFuture<T> {
        private final long number = FakeScheduler.this.number++;
        private final long periodNs;
        private long dueNs;

        Task(Callable<T> call, long delayNs, long periodNs) {
            super(call);
            this.dueNs = nowNs + Math.max(0, delayNs);
            this.periodNs = periodNs;
        }

        @Override
        public boolean isPeriodic() {
            return periodNs > 0;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(dueNs - nowNs, TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }

        @Override
        protected void setException(Throwable e) {
            failures.add(e);
            super.setException(e);
        }

        @Override
        public void run() {
            if (!isPeriodic()) {
                super.run();
            } else if (runAndReset()) {
                dueNs = nowNs + periodNs;
                tasks.add(this);
            }
        }
    }

    /** Returns the time in nanoseconds. */
    public long nanoTime() {
        return nowNs;
    }

    /** Returns a clock of the same time. */
    public Clock clock() {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return BEGIN.plusNanos(nowNs);
            }
        };
    }

    /** Does everything that is due within this time. */
    public void advance(Duration time) {
        long end = nowNs + time.toNanos();
        while (!tasks.isEmpty() && tasks.peek().dueNs <= end) {
            step();
        }
        nowNs = end;
    }

    /** Lets time pass until it is so; returns whether it came to that within the limit. */
    public boolean runUntil(BooleanSupplier condition, Duration limit) {
        long end = nowNs + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (tasks.isEmpty() || tasks.peek().dueNs > end) {
                nowNs = end;
                return condition.getAsBoolean();
            }
            step();
        }
        return true;
    }

    /** Does the next thing; returns false when there is none. */
    public boolean step() {
        Task<?> task = tasks.poll();
        if (task == null) {
            return false;
        }
        nowNs = Math.max(nowNs, task.dueNs);
        task.run();
        if (!failures.isEmpty()) {
            throw new AssertionError("a task failed", failures.remove(0));
        }
        return true;
    }

    private <T> ScheduledFuture<T> add(Task<T> task) {
        tasks.add(task);
        return task;
    }

    @Override
    public void execute(Runnable command) {
        schedule(command, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        return add(new Task<>(
                () -> {
                    command.run();
                    return null;
                },
                unit.toNanos(delay),
                0));
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        return add(new Task<>(callable, unit.toNanos(delay), 0));
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long delay, long period, TimeUnit unit) {
        return scheduleWithFixedDelay(command, delay, period, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long delay, long period, TimeUnit unit) {
        return add(new Task<>(
                () -> {
                    command.run();
                    return null;
                },
                unit.toNanos(delay),
                unit.toNanos(period)));
    }

    @Override
    public void shutdown() {
        tasks.clear();
    }

    @Override
    public List<Runnable> shutdownNow() {
        List<Runnable> left = new ArrayList<>(tasks);
        tasks.clear();
        return left;
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }
}
