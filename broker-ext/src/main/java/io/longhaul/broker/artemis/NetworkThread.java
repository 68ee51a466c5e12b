package io.longhaul.broker.artemis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of {@link Network}. What comes before the network has begun waits: the server listens before that, and an
 * answer from a book that has not been read yet would say that nobody wants anything.
 */
final class NetworkThread {
    private static final Logger LOG = LoggerFactory.getLogger(NetworkThread.class);

    private final ScheduledExecutorService executor;
    private final List<Runnable> early = new ArrayList<>(); // this thread only
    private boolean begun; // this thread only

    /** What may fail on this thread. */
    interface Task {
        void run() throws Exception;
    }

    /** Takes an executor of one thread. */
    NetworkThread(ScheduledExecutorService executor) {
        this.executor = executor;
    }

    /** Lets tasks run, those that wait first; called on this thread. */
    void begin() {
        begun = true;
        early.forEach(Runnable::run);
        early.clear();
    }

    /** Lets no more tasks run; called on this thread. */
    void end() {
        begun = false;
    }

    /** Runs something once the network has begun, unless it has ended; never blocks. */
    void execute(String what, Task task) {
        Runnable safe = () -> safely(what, task);
        try {
            executor.execute(() -> {
                if (begun) {
                    safe.run();
                } else {
                    early.add(safe);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("{}: the broker is closing", what);
        }
    }

    /** Runs something at once, and again and again. */
    void every(long millis, String what, Task task) {
        executor.scheduleWithFixedDelay(() -> safely(what, task), 0, millis, TimeUnit.MILLISECONDS);
    }

    private static void safely(String what, Task task) {
        try {
            task.run();
        } catch (Exception | Error e) { // the thread goes on, or nobody would hear of anything any more
            LOG.warn("network: {} failed: {}", what, e.toString());
            LOG.debug("network: {}", what, e);
        }
    }
}
