package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.post.FakeScheduler;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** All threads of a process, which does nothing any more once it was killed. */
final class FakeProcess extends AbstractExecutorService implements ScheduledExecutorService {
    private final FakeScheduler scheduler;
    private boolean killed;

    FakeProcess(FakeScheduler scheduler) {
        this.scheduler = scheduler;
    }

    void kill() {
        killed = true;
    }

    private Runnable whileAlive(Runnable command) {
        return () -> {
            if (!killed) {
                command.run();
            }
        };
    }

    @Override
    public void execute(Runnable command) {
        scheduler.execute(whileAlive(command));
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        return scheduler.schedule(whileAlive(command), delay, unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long delay, long period, TimeUnit unit) {
        return scheduler.scheduleAtFixedRate(whileAlive(command), delay, period, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long delay, long period, TimeUnit unit) {
        return scheduler.scheduleWithFixedDelay(whileAlive(command), delay, period, unit);
    }

    @Override
    public void shutdown() {
        kill();
    }

    @Override
    public List<Runnable> shutdownNow() {
        kill();
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return killed;
    }

    @Override
    public boolean isTerminated() {
        return killed;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return killed;
    }
}
