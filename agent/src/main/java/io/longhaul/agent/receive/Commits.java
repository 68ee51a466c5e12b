package io.longhaul.agent.receive;

import io.longhaul.storage.StorageException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waits for the ledger. */
final class Commits {
    private Commits() {}

    /** Returns when the changes are durable; throws the {@link StorageException} that they failed with. */
    static void await(CompletableFuture<Void> commit) {
        try {
            commit.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StorageException failure) {
                throw new StorageException(failure.code(), String.valueOf(failure.getMessage()), failure);
            }
            throw e;
        }
    }
}
