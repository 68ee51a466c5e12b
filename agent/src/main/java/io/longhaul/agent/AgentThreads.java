package io.longhaul.agent;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads, timers and randomness of one agent: the place where they are made. Thread-safe. */
final class AgentThreads implements ThreadFactory, Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AgentThreads.class);

    /** More requests than this are dropped: their askers ask again. */
    private static final int MAX_REPAIRS = 64;

    private final AtomicInteger count = new AtomicInteger();
    private final ScheduledExecutorService keeper =
            Executors.newSingleThreadScheduledExecutor(task -> named(task, "agent-keeper"));
    private final ScheduledExecutorService timers =
            Executors.newSingleThreadScheduledExecutor(task -> named(task, "agent-timers"));
    private final ThreadPoolExecutor repair = new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_REPAIRS),
            task -> named(task, "agent-repair"),
            new ThreadPoolExecutor.DiscardPolicy());
    private final RandomGenerator random = new SecureRandom();

    /** Work that may be interrupted. */
    interface Work {
        void run() throws InterruptedException;
    }

    /** Returns a new identity for a data directory. */
    static String newOwner() {
        return UUID.randomUUID().toString();
    }

    /** A thread that knows whose it is. */
    private final class AgentThread extends Thread {
        AgentThread(Runnable task, String name) {
            super(task, name);
            setDaemon(true);
        }

        AgentThreads owner() {
            return AgentThreads.this;
        }
    }

    private Thread named(Runnable task, String name) {
        return new AgentThread(task, name);
    }

    /** Whether the thread is one of this agent, which must not wait for itself. */
    boolean isOwn(Thread thread) {
        return thread instanceof AgentThread known && known.owner() == this;
    }

    @Override
    public Thread newThread(Runnable task) {
        return named(task, "agent-" + count.incrementAndGet());
    }

    @Override
    public void execute(Runnable task) {
        newThread(task).start();
    }

    /** Runs reconnects of the link. */
    ScheduledExecutorService keeper() {
        return keeper;
    }

    RandomGenerator random() {
        return random;
    }

    /** Runs the task later on a thread of its own. */
    void later(Duration after, Runnable task) {
        try {
            timers.schedule(() -> execute(task), after.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("timer after close", e);
        }
    }

    /** Runs one repair after the other. */
    void repair(Work work) {
        repair.execute(() -> {
            try {
                work.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                LOG.warn("repair not served: {}", e.toString());
            }
        });
    }

    @Override
    public void close() {
        repair.shutdownNow();
        timers.shutdownNow();
        keeper.shutdownNow();
    }
}
