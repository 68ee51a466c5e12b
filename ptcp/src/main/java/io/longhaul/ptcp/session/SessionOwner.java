package io.longhaul.ptcp.session;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import org.jspecify.annotations.Nullable;

/** Where a session came from, which knows who is at the other end and is told when it is over. Thread-safe. */
@FunctionalInterface
public interface SessionOwner {
    /** Returns whether the user at the other end is known; who dialled knows whom. */
    default boolean isTrusted() {
        return true;
    }

    /** The user at the other end is known. */
    default void trust() {}

    /** The session is over; on its event loop. The cause is that of {@link PtcpListener#closed}, which is called next. */
    void ended(@Nullable PtcpException cause);
}
