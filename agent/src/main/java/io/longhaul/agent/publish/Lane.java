package io.longhaul.agent.publish;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a bounded number of tasks at once, the others in their order afterwards, and those of one key one after the other.
 * May be used from any thread.
 */
final class Lane {
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

    private final Executor executor;
    private final int width;
    private final Deque<Task> waiting = new ArrayDeque<>(); // guarded by this
    private final Set<Object> busy = new HashSet<>(); // keys of running tasks; guarded by this
    private int running; // guarded by this

    private record Task(Object key, Runnable action) {}

    Lane(Executor executor, int width) {
        this.executor = executor;
        this.width = width;
    }

    void submit(Runnable action) {
        submit(new Object(), action);
    }

    /** The key is compared by equality. */
    void submit(Object key, Runnable action) {
        synchronized (this) {
            waiting.addLast(new Task(key, action));
            if (running == width || busy.contains(key)) {
                return; // who leaves its place, or its key, looks for what waits
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
        for (Task task = next(null); task != null; task = next(task)) {
            try {
                task.action.run();
            } catch (RuntimeException | Error e) { // the others must not lose this place
                LOG.error("a task failed", e);
            }
        }
    }

    /** Returns the first task whose key is free; who has run one of a key takes up what waited for that. */
    private synchronized @Nullable Task next(@Nullable Task done) {
        if (done != null) {
            busy.remove(done.key);
        }
        for (Iterator<Task> tasks = waiting.iterator(); tasks.hasNext(); ) {
            Task task = tasks.next();
            if (busy.add(task.key)) {
                tasks.remove();
                return task;
            }
        }
        running--;
        return null;
    }
}
