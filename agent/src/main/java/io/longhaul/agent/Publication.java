package io.longhaul.agent;

import io.longhaul.wire.Receipt;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A publication on its way; may be used from any thread. */
public interface Publication {
    /** Identity of the transfer, 32 lower-case hexadecimal digits. */
    String transfer();

    /** The topic that it is published to. */
    String topic();

    /** What the source was when the transfer began, also in an earlier process; empty for a stream. */
    Optional<PublishedSource> source();

    /**
     * Completes when the broker has everything on disk and as many subscriptions as were asked for have it; fails with an
     * {@link AgentException}, of code {@code INTERRUPTED} when the agent is closed before: the transfer goes on at the next
     * open, but for a stream that was not read to its end. Dependent actions run on an agent's thread and must not block.
     *
     * <p>A future of its own at each call: what a caller does to it, as to cancel it, changes nothing for the transfer. It is
     * kept until the end, so who looks again and again asks for it once.
     */
    CompletableFuture<PublicationResult> result();

    /**
     * Completes when the source is no longer needed: when all of it is durable in the agent's store (spooled), or safe
     * in the network (direct). Fails as {@link #result} does when that comes first.
     */
    CompletableFuture<Void> spooled();

    /** Returns where it is now. */
    Progress progress();

    /** Returns the receipts that are in and count, one for each subscription, also those that say that it failed. */
    List<Receipt> receipts();

    /**
     * Runs an action on an agent's thread after each receipt from now on that counts; it must not block; exceptions are logged
     * and dropped.
     */
    void onReceipt(Runnable action);

    /**
     * Gives the transfer up everywhere: subscribers discard what they have of it, those that have it whole keep it. Returns
     * at once; the result fails when the ledger has it, or tells why it has not. Does nothing for one that has ended.
     */
    void cancel();
}
