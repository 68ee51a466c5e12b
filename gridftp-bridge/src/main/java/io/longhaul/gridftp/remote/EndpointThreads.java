package io.longhaul.gridftp.remote;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The threads of an endpoint: one that keeps time, one that sends and may wait for the post, and some that read long answers.
 * Thread-safe.
 */
final class EndpointThreads implements AutoCloseable {
    private static final int READERS = 2;

    private final ScheduledExecutorService clock;
    private final ExecutorService sender;
    private final ExecutorService reader;

    private EndpointThreads(ScheduledExecutorService clock, ExecutorService sender, ExecutorService reader) {
        this.clock = clock;
        this.sender = sender;
        this.reader = reader;
    }

    static EndpointThreads start() {
        return new EndpointThreads(
                Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "gridftp-call-clock")),
                Executors.newSingleThreadExecutor(task -> daemon(task, "gridftp-call-sender")),
                Executors.newFixedThreadPool(READERS, task -> daemon(task, "gridftp-call-reader")));
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    ScheduledExecutorService clock() {
        return clock;
    }

    ExecutorService sender() {
        return sender;
    }

    ExecutorService reader() {
        return reader;
    }

    @Override
    public void close() {
        clock.shutdownNow();
        sender.shutdownNow();
        reader.shutdownNow();
    }
}
