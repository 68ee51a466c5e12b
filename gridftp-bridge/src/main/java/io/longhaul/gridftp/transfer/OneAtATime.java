package io.longhaul.gridftp.transfer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does things in the order in which they come, one after the other, on the threads of another executor. Thread-safe. */
final class OneAtATime implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(OneAtATime.class);

    private final Executor executor;
    private final Deque<Runnable> waiting = new ArrayDeque<>(); // guarded by this
    private boolean running; // guarded by this

    OneAtATime(Executor executor) {
        this.executor = executor;
    }

    @Override
    public void execute(Runnable command) {
        synchronized (this) {
            if (running) {
                waiting.add(command);
                return;
            }
            // throws when there are no threads any more: before anything is said to run
            executor.execute(() -> run(command));
            running = true;
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
        running = next.isPresent();
        return next;
    }
}
