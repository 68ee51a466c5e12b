package io.longhaul.agent.receive;

import io.longhaul.storage.StorageException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waits for the ledger. */
final class Commits {
    private Commits() {}

    /** Returns when the changes are durable; throws the {@link StorageException} or error that they failed with. */
    static void await(CompletableFuture<Void> commit) {
        try {
            commit.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StorageException failure) {
                throw new StorageException(failure.code(), String.valueOf(failure.getMessage()), failure);
            }
            if (e.getCause() instanceof Error error) {
                throw error; // not taken for the fault of one transfer, as an exception would be
            }
            throw e;
        }
    }
}
