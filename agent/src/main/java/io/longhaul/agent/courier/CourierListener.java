package io.longhaul.agent.courier;

import io.longhaul.agent.AgentException;
import java.nio.ByteBuffer;

/**
 * Takes what comes to an endpoint.
 *
 * <p>Must not block for long or throw; what it throws is logged and dropped.
 */
public interface CourierListener {
    /**
     * A parcel came; called on the courier's one receiving thread, so that the next parcel waits for the return.
     *
     * @param from name of the endpoint that sent it
     * @param body the bytes, between position and limit, read-only; the listener may keep them for as long as it likes
     */
    void received(String from, ByteBuffer body);

    /** The connection to the broker is lost and being restored; what was under way may be lost. On a thread of the link. */
    default void disconnected(String why) {}

    /** The connection is back; what was under way when it was lost may be missing. On a thread of the link. */
    default void reconnected() {}

    /**
     * The broker did not take a parcel: no right, or nobody keeps that endpoint as far as the network knows, which may change: for
     * a moment after a broker has started it knows of nobody. On a thread of the link.
     *
     * @param to the endpoint that it was meant for
     */
    default void refused(String to, AgentException reason) {}

    /** Nothing more will be received: another process holds the name, or the right was taken away. On the receiving thread. */
    default void ended(AgentException reason) {}
}
