package io.longhaul.agent.receive;

import io.longhaul.agent.AgentException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A transfer that somebody here gives up.
 *
 * @param transfer its identity
 * @param unpromised keeps it from being promised to others until its end is durable, however long whoever asked waits
 * @param done completes then, fails with why it cannot be; ended before by who waits no longer
 */
record Unwanted(String transfer, Unpromised unpromised, CompletableFuture<Void> done) {
    /**
     * Gives it up, if it is still coming in and anybody waits for that. What is no fault of the request is thrown, too.
     *
     * @param discard ends it, and returns once the ledger has it
     */
    void giveUp(IncomingTransfers transfers, Consumer<Incoming> discard) {
        if (done.isDone()) {
            return;
        }
        try {
            Incoming incoming = stillComing(transfers.find(transfer));
            unpromised.giveUp(transfer, () -> discard.accept(incoming));
            done.complete(null);
        } catch (AgentException e) {
            done.completeExceptionally(e);
        } catch (RuntimeException e) {
            done.completeExceptionally(e);
            throw e;
        }
    }

    private Incoming stillComing(@Nullable Incoming incoming) {
        if (incoming == null || incoming.finishing) {
            throw new AgentException(
                    AgentException.Code.REFUSED,
                    "transfer " + transfer + " cannot be cancelled: expected one that is still coming in, found it "
                            + (incoming == null ? "ended" : "all here"));
        }
        return incoming;
    }
}
