package io.longhaul.agent.publish;

import io.longhaul.storage.StorageException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Commits of a publication that a full disk only holds up. */
final class PatientCommit {
    private static final long SPACE_RETRY_MILLIS = 1_000;

    private PatientCommit() {}

    /** Waits for a commit; throws what it failed with. */
    static void join(CompletableFuture<Void> commit) {
        try {
            commit.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : e;
        }
    }

    /** Commits until it succeeds: a full disk is waited for, other failures are thrown. */
    static void commit(Publishing publishing, Outgoing outgoing, Supplier<CompletableFuture<Void>> commit)
            throws InterruptedException {
        boolean told = false;
        while (true) {
            try {
                join(commit.get());
                return;
            } catch (StorageException e) {
                if (e.code() != StorageException.Code.NO_SPACE) {
                    throw e;
                }
                if (!told) {
                    publishing.tell(outgoing, "waits for space: " + e.getMessage());
                    told = true;
                }
                outgoing.halt().pause(SPACE_RETRY_MILLIS);
            }
        }
    }
}
