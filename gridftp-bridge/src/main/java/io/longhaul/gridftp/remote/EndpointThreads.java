package io.longhaul.gridftp.remote;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The threads of an endpoint: one that keeps time, and one that sends and may wait for the post. Thread-safe.
 */
final class EndpointThreads implements AutoCloseable {
    private final ScheduledExecutorService clock;
    private final ExecutorService sender;

    private EndpointThreads(ScheduledExecutorService clock, ExecutorService sender) {
        this.clock = clock;
        this.sender = sender;
    }

    static EndpointThreads start() {
        return new EndpointThreads(
                Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "gridftp-call-clock")),
                Executors.newSingleThreadExecutor(task -> daemon(task, "gridftp-call-sender")));
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

    @Override
    public void close() {
        clock.shutdownNow();
        sender.shutdownNow();
    }
}
