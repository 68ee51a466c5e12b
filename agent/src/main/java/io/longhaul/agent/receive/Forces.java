package io.longhaul.agent.receive;

import io.longhaul.storage.DiskFile;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/**
 * Forces many files side by side and closes them: what several ask for at a time a file system makes durable with one write
 * of its journal, what one asks for after the other with one each. For one thread.
 */
final class Forces implements AutoCloseable {
    private static final int THREADS = 8;
    private static final int MOST_OPEN = 64;

    private final ExecutorService threads;
    private final Deque<CompletableFuture<Void>> running = new ArrayDeque<>();

    Forces(ThreadFactory factory) {
        this.threads = Executors.newFixedThreadPool(THREADS, factory);
    }

    /** Takes a file over; waits while many are open, and throws what an earlier one failed with. */
    void add(DiskFile file) {
        running.add(CompletableFuture.runAsync(
                () -> {
                    try (file) {
                        file.force();
                    }
                },
                threads));
        await(MOST_OPEN);
    }

    /** Waits until all are durable; throws what one of them failed with. */
    void await() {
        await(0);
    }

    private void await(int most) {
        while (running.size() > most) {
            Commits.await(running.remove());
        }
    }

    /** Waits for what is on its way, however it ends. */
    @Override
    public void close() {
        threads.shutdown();
        running.forEach(each -> each.handle((forced, failure) -> true).join());
    }
}
