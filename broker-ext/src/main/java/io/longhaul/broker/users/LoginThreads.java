package io.longhaul.broker.users;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads on which passwords are compared. Each takes a core while it does, so that there are few; they end when nobody
 * logs in. What waits for them is bounded. Thread-safe.
 */
public final class LoginThreads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoginThreads.class);
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final int MOST_THREADS = 4;

    /** What one thread does in about the time that a client waits for an answer. */
    private static final int MOST_WAITING = 256;

    private final int mostWaiting;
    private final ThreadPoolExecutor threads;

    /**
     * Makes threads when there is something to do.
     *
     * @param name what they are called, before their number
     * @param most how many there may be
     * @param mostWaiting how many tasks may wait
     */
    LoginThreads(String name, int most, int mostWaiting) {
        this.mostWaiting = mostWaiting;
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(
                most, most, IDLE.toMillis(), TimeUnit.MILLISECONDS, new ArrayBlockingQueue<>(mostWaiting), task -> {
                    Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** Returns those of a broker: at most half of the cores, since the others carry what is on its way. */
    public static LoginThreads ofBroker() {
        int half = Runtime.getRuntime().availableProcessors() / 2;
        return new LoginThreads("broker-login", Math.max(1, Math.min(MOST_THREADS, half)), MOST_WAITING);
    }

    /** Takes a task, which will run unless this is closed; returns false when too many wait, or after {@link #close}. */
    boolean offer(Runnable task) {
        try {
            threads.execute(() -> safely(task));
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private static void safely(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.warn("a login could not be looked at: {}", e.toString());
            LOG.debug("login", e);
        }
    }

    /** Returns how many tasks may wait. */
    int mostWaiting() {
        return mostWaiting;
    }

    /** Drops what waits. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
