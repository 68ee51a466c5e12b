package io.longhaul.storage;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Unwraps what a future failed with. */
final class Failures {
    private Failures() {}

    static void join(CompletableFuture<Void> future) {
        try {
            future.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StorageException storage ? storage : e;
        }
    }
}
