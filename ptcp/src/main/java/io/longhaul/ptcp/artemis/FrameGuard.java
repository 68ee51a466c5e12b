package io.longhaul.ptcp.artemis;

import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.Optional;

/** Says which frames of a connection may come through to Artemis; called on the session's event loop. */
public interface FrameGuard {
    /** Returns the most bytes of the next frame's packet. */
    int mostBytes();

    /** Returns whether a whole frame, with its length in front, may pass; must not move its indices. */
    boolean accepts(ByteBuf frame);

    /** Tells that the user at the other end is known. */
    void trust();

    /** Returns whether the user at the other end is known; a guard that does not tell users apart knows everybody. */
    default boolean isTrusted() {
        return true;
    }

    /** Returns how long the user may be unknown; empty for as long as there is room. */
    default Optional<Duration> loginLimit() {
        return Optional.empty();
    }

    /**
     * Returns whether who writes on this connection must do so on one thread, so that it waits rather than be called back
     * on another: Artemis's replication is so on any transport but its own.
     */
    default boolean isSerial() {
        return false;
    }

    /** Returns a guard that bounds lengths only. */
    static FrameGuard bounded(int mostBytes) {
        return new FrameGuard() {
            @Override
            public int mostBytes() {
                return mostBytes;
            }

            @Override
            public boolean accepts(ByteBuf frame) {
                return true;
            }

            @Override
            public void trust() {}
        };
    }
}
