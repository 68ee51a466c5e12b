package io.longhaul.agent;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A subscription that is being served; may be used from any thread. */
public interface Subscription extends AutoCloseable {
    /** Returns the topic. */
    String topic();

    /** Returns the subscription's name. */
    String name();

    /** Transfers that have begun and not ended; also once it is closed. */
    List<Progress> progress();

    /**
     * Returns whether archives of the topic have said what they retain since the time that was asked for, and all of that is here or
     * among {@link #progress}; true where no such time was asked for.
     */
    boolean hasCaughtUp();

    /**
     * Completes when the subscription is closed; fails with an {@link AgentException} when it cannot go on. A future of its own
     * at each call, as {@link Publication#result}.
     */
    CompletableFuture<Void> closed();

    /**
     * Stops serving; the durable subscription stays at the broker. Waits for what is being written and for the listener, but not
     * for the listener when that calls it, and for nothing when the subscription's {@link DeliveryTarget} does.
     */
    @Override
    void close();
}
