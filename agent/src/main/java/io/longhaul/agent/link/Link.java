package io.longhaul.agent.link;

import io.longhaul.wire.Frame;
import java.time.Duration;
import java.util.Set;

/**
 * An agent's connection to the network.
 *
 * <p>Once connected it hides outages: it reconnects for ever, sends again what was not acknowledged, and reports the
 * weather to its {@link LinkListener}. May be used from any thread. Failures are {@link LinkException}s.
 */
public interface Link extends AutoCloseable {

    /** Priority of what has no reason for another one. */
    int NORMAL_PRIORITY = 4;

    /**
     * Returns whether there is a connection, after waiting at most so long for one; what needs one waits longer. Throws when
     * there is none since the broker has never accepted the login.
     */
    boolean awaitConnection(Duration patience) throws InterruptedException;

    /** Returns what is known of the durable subscriptions on a topic, this agent's own included. */
    TopicSubscriptions topic(String topic);

    /**
     * Returns the names of all durable subscriptions on a topic; {@link LinkException.Code#UNREACHABLE} also while the
     * network does not know them all.
     */
    default Set<String> subscriptions(String topic) {
        return topic(topic).all();
    }

    /**
     * Offers a frame; returns when it is in the window, blocking while the window of bytes in flight is full.
     *
     * <p>The body of a piece must stay untouched until the outcome. Frames of one transfer on one address are sent in
     * the order of the calls; after an outage some may be sent again.
     *
     * @param address one of {@link io.longhaul.wire.Addresses}
     * @param deduplication identity of the frame at the broker: a second one with the same is dropped; empty for none
     * @param priority 0..9: what waits in the network goes on by priority first, the greater before the lesser
     * @param listener told exactly once whether the frame is safe, on a thread of the link; must not block
     */
    void offer(String address, Frame frame, String deduplication, int priority, OfferListener listener)
            throws InterruptedException;

    /** Offers a frame of {@link #NORMAL_PRIORITY}. */
    default void offer(String address, Frame frame, String deduplication, OfferListener listener)
            throws InterruptedException {
        offer(address, frame, deduplication, NORMAL_PRIORITY, listener);
    }

    /** Waits until everything offered has had its outcome; returns false when the time is over first. */
    boolean drain(Duration timeout) throws InterruptedException;

    /**
     * Claims a durable subscription, creating it when there is none, and opens its flow.
     *
     * <p>An earlier session of the same owner is evicted; one of another owner makes this fail with
     * {@link LinkException.Code#NAME_IN_USE}.
     *
     * @param owner identity of the agent's data directory
     */
    Inflow subscribe(String topic, String subscription, String owner);

    /** Opens this agent's durable inbox, under the same rule as {@link #subscribe}. */
    Inflow inbox(String agent, String owner);

    /** Opens the flow of parcels for an endpoint, under the same rule as {@link #subscribe}. */
    Inflow endpoint(String name, String owner);

    /** Opens a durable flow of the receipts of a topic for this agent. */
    Inflow receipts(String topic, String agent);

    /** Throws {@link LinkException.Code#FORBIDDEN} when this agent may have no receipts of a topic; keeps none. */
    void requireReceipts(String topic);

    /** Opens a flow of lease requests and repair queries of a topic, which lasts as long as the connection. */
    Inflow holders(String topic, String agent);

    /** Removes the flow made by {@link #receipts} with what is in it. */
    void forgetReceipts(String topic, String agent);

    /** Removes a subscription with its backlog; {@link LinkException.Code#NO_SUBSCRIPTION} when the broker has none of the name. */
    void unsubscribe(String topic, String subscription);

    /** Removes an inbox with what is in it, if it exists. */
    void forgetInbox(String agent);

    /** Closes at once; what had no outcome gets {@link LinkException.Code#CLOSED}. */
    @Override
    void close();
}
