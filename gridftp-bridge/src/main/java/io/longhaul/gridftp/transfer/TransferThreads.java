package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.content.ContentStore;
import io.longhaul.storage.Disk;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of all transfers of a process. */
final class TransferThreads implements AutoCloseable {
    private static final int DISK_THREADS = 4;
    private static final long STOP_SECONDS = 5;

    private final ScheduledExecutorService state =
            Executors.newSingleThreadScheduledExecutor(named("gridftp-transfer"));
    private final ScheduledExecutorService sender =
            Executors.newSingleThreadScheduledExecutor(named("gridftp-content-sender"));
    private final ScheduledExecutorService puller =
            Executors.newSingleThreadScheduledExecutor(named("gridftp-content-puller"));
    private final ExecutorService disk = Executors.newFixedThreadPool(DISK_THREADS, named("gridftp-content-disk"));

    private TransferThreads() {}

    static TransferThreads start() {
        return new TransferThreads();
    }

    private static ThreadFactory named(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    World world(Path directory, ContentStore.Limits limits) {
        ContentStore store = ContentStore.open(directory, Disk.real(), limits, Clock.systemUTC(), ContentStore.boot());
        return new World(store, state, disk, System::nanoTime, Clock.systemUTC(), new SecureRandom());
    }

    ScheduledExecutorService sender() {
        return sender;
    }

    ScheduledExecutorService puller() {
        return puller;
    }

    @Override
    public void close() {
        for (ExecutorService each : List.of(state, puller, sender, disk)) {
            each.shutdownNow();
        }
        try {
            disk.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
