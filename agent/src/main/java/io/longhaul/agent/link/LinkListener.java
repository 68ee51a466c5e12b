package io.longhaul.agent.link;

/** Learns of the weather on a link. Called on threads of the link; must not block or throw. */
public interface LinkListener {
    /** The connection is lost and being restored. */
    default void disconnected(String why) {}

    /** The connection is back. */
    default void reconnected() {}

    /** The broker takes nothing for now, for the reason given (disk floor, quota); the link tries again. */
    default void paused(String why) {}

    /** The broker takes frames again. */
    default void resumed() {}
}
