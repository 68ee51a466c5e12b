package io.longhaul.ptcp.session;

/** Where a session came from, which knows who is at the other end and is told when it is over. Thread-safe. */
@FunctionalInterface
public interface SessionOwner {
    /** Returns whether the user at the other end is known; who dialled knows whom. */
    default boolean isTrusted() {
        return true;
    }

    /** The user at the other end is known. */
    default void trust() {}

    /** The session is over; on its event loop. */
    void ended();
}
