package io.longhaul.cli;

import io.longhaul.agent.AgentException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Why something that runs until it is stopped ended by itself. */
final class Ending {
    private Ending() {}

    /** Throws what a future failed with, so that the command ends with its code. */
    static void throwIfFailed(CompletableFuture<Void> ended) {
        try {
            ended.getNow(null);
        } catch (CompletionException e) {
            throw e.getCause() instanceof AgentException cause ? cause : e;
        }
    }
}
