package io.longhaul.gridftp.topic;

import io.longhaul.gridftp.spi.FilePath;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Does what concerns one path in the order in which it was asked for. Thread-safe. */
final class Turns {
    private final Map<FilePath, CompletableFuture<Void>> last = new HashMap<>(); // guarded by this

    /** Begins when all that was asked for before is over, however it ended. */
    <T> CompletableFuture<T> run(FilePath path, Supplier<CompletableFuture<T>> task) {
        CompletableFuture<Void> before;
        CompletableFuture<Void> over = new CompletableFuture<>();
        synchronized (this) {
            before = last.getOrDefault(path, CompletableFuture.completedFuture(null));
            last.put(path, over);
        }
        CompletableFuture<T> mine = before.thenCompose(done -> task.get());
        mine.whenComplete((done, failure) -> {
            synchronized (this) {
                last.remove(path, over);
            }
            over.complete(null);
        });
        return mine;
    }
}
