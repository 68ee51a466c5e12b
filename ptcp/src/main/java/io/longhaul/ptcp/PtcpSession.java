package io.longhaul.ptcp;

import io.netty.buffer.ByteBuf;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * One ordered byte stream in each direction, striped over several TCP connections.
 *
 * <p>All methods may be called from any thread and do not block.
 */
public interface PtcpSession {
    /** Returns the session's public name: 32 hexadecimal digits. */
    String id();

    /**
     * Sends bytes after all that were given before, and takes ownership of the buffer.
     *
     * <p>Never refuses: who cares for memory asks {@link #isWritable} first. After the end it drops the bytes.
     */
    void write(ByteBuf bytes);

    /** Returns whether the session holds few enough bytes to take more. */
    boolean isWritable();

    /** Stops giving bytes to the listener, or goes on; the other end is held up when the window is full. */
    void setReading(boolean reading);

    /** Returns whether the session has not ended and nobody has asked it to. */
    boolean isOpen();

    /**
     * Says that the user at the other end is known. An acceptor with logins drops a session before this when too many
     * newer ones come, or when it loses its control channel.
     */
    default void trust() {}

    /** Sends what was given, then ends the session. */
    void close();

    /** Ends the session at once. */
    void abort(String reason);

    /** Returns the address of the other end. */
    SocketAddress remoteAddress();

    /** Returns the address of this end. */
    SocketAddress localAddress();

    /** Returns where calls of the listener run. */
    Executor executor();

    /** Runs something there after a pause; whoever asks looks whether it still makes sense then. */
    default void schedule(Runnable task, Duration pause) {
        CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS, executor())
                .execute(task);
    }

    /** Returns the session's counters: up to date where {@link #executor} runs, elsewhere up to 100 ms old. */
    PtcpSnapshot snapshot();
}
