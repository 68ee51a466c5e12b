package io.longhaul.agent.publish;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a bounded number of tasks at once, the others in their order afterwards; may be used from any thread. */
final class Lane {
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

    private final Executor executor;
    private final int width;
    private final Deque<Runnable> waiting = new ArrayDeque<>(); // guarded by this
    private int running; // guarded by this

    Lane(Executor executor, int width) {
        this.executor = executor;
        this.width = width;
    }

    void submit(Runnable task) {
        synchronized (this) {
            waiting.addLast(task);
            if (running == width) {
                return;
            }
            running++;
        }
        try {
            executor.execute(this::work);
        } catch (RuntimeException | Error e) { // as for want of a thread
            LOG.error("no thread for a task: it waits for the next one", e);
            left();
        }
    }

    private synchronized void left() {
        running--;
    }

    private void work() {
        for (Runnable task = next(); task != null; task = next()) {
            try {
                task.run();
            } catch (RuntimeException | Error e) { // the others must not lose this place
                LOG.error("a task failed", e);
            }
        }
    }

    private synchronized @Nullable Runnable next() {
        Runnable task = waiting.pollFirst();
        if (task == null) {
            running--;
        }
        return task;
    }
}
