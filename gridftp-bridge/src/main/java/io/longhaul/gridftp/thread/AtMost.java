package io.longhaul.gridftp.thread;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does so many things at a time on the threads of another executor, in the order in which they come; the others wait, and
 * none of them has a thread. Thread-safe.
 */
public final class AtMost implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(AtMost.class);

    private final int most;
    private final Executor executor;
    private final Deque<Runnable> waiting = new ArrayDeque<>(); // guarded by this
    private int running; // guarded by this

    /** Takes how many things are done at a time, and on whose threads. */
    public AtMost(int most, Executor executor) {
        this.most = most;
        this.executor = executor;
    }

    @Override
    public void execute(Runnable command) {
        synchronized (this) {
            if (running >= most) {
                waiting.add(command);
                return;
            }
            // throws when there are no threads any more: before anything is said to run
            executor.execute(() -> run(command));
            running++;
        }
    }

    /** What waits is done on the same thread: to ask for another one may fail, and nobody would hear of it. */
    private void run(Runnable first) {
        for (Optional<Runnable> next = Optional.of(first); next.isPresent(); next = next()) {
            try {
                next.get().run();
            } catch (Throwable e) {
                LOG.error("unexpected failure", e);
            }
        }
    }

    private synchronized Optional<Runnable> next() {
        Optional<Runnable> next = Optional.ofNullable(waiting.poll());
        running -= next.isEmpty() ? 1 : 0;
        return next;
    }
}
