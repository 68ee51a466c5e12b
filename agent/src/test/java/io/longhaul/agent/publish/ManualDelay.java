package io.longhaul.agent.publish;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Timers that go off when a test says so. */
final class ManualDelay implements PublisherContext.Delay {
    private final List<Runnable> tasks = new ArrayList<>(); // guarded by this

    @Override
    public synchronized void call(Duration after, Runnable task) {
        tasks.add(task);
    }

    synchronized int waiting() {
        return tasks.size();
    }

    /** Lets every timer that is set go off. */
    void fire() {
        List<Runnable> due;
        synchronized (this) {
            due = List.copyOf(tasks);
            tasks.clear();
        }
        due.forEach(Runnable::run);
    }
}
