package io.longhaul.agent.courier;

import java.nio.ByteBuffer;

/**
 * An endpoint of the network: sends parcels to other endpoints and is handed those for its own name.
 *
 * <p>{@link #open} locks the data directory, connects and claims the name; a predecessor with the same data directory is
 * evicted. Afterwards it reconnects for ever. Parcels are not durable: one may be lost, come twice or late, or overtake
 * another, and after 60 s it is dropped wherever it waits. May be used from any thread. Failures are
 * {@link io.longhaul.agent.AgentException}s.
 */
public interface Courier extends AutoCloseable {
    /** Longest body of a parcel, in bytes. */
    int MAX_BODY_BYTES = 4 * 1024 * 1024;

    /**
     * Connects and claims the endpoint's name; blocks for at most the connect timeout. Fails with code REFUSED when the
     * login or a right is refused or another data directory's process holds the name, UNREACHABLE when the broker is not
     * reached in time.
     */
    static Courier open(CourierConfig config) {
        return LinkCourier.open(config);
    }

    /** Returns the endpoint's own name. */
    String name();

    /**
     * Sends a parcel; returns when it is in the window, blocking while that is full, be it for as long as an outage lasts.
     * Urgent parcels have an eighth of the window beyond what bulk may fill. Not to be called by a listener's method that
     * is called on a thread of the link. Fails with code USAGE when name or length is wrong, INTERRUPTED when closed.
     *
     * @param to name of the endpoint that it is meant for
     * @param body up to {@link #MAX_BODY_BYTES}, from position to limit, which stay as they are; it is copied only when it
     *     is sent, and sent again after an outage, so its bytes must not change any more
     */
    void send(String to, Urgency urgency, ByteBuffer body) throws InterruptedException;

    /** Hands on what comes, from now on; fails when called again. What came before waits at the broker, for 60 s. */
    void listen(CourierListener listener);

    /** Disconnects at once; parcels that the broker has not taken are lost. Unlocks the data directory. */
    @Override
    void close();
}
