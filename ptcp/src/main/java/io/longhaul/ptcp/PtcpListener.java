package io.longhaul.ptcp;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Is told what happens on a session: in order, one call at a time, on the session's event loop.
 *
 * <p>Must not block: other sessions share the loop. An exception aborts the session; one of {@link #closed} is logged.
 */
public interface PtcpListener {
    /** Says once that the first stream stands; nothing but {@link #closed} comes before. */
    default void opened() {}

    /** Gives the next bytes of the stream. They are released after the call: retain what is to be kept. */
    void received(ByteBuf bytes);

    /** Says that no more bytes are there for the moment. */
    default void batchEnded() {}

    /** Says that the session takes bytes again, or that it holds more than it wants to. */
    void writabilityChanged(boolean writable);

    /** Says once that the session has ended: with {@code null} orderly, after everything was received; else why. */
    void closed(@Nullable PtcpException cause);
}
