package io.longhaul.gridftp.spi;

import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/**
 * Bytes on their way into a file, which nobody sees before they are committed. One caller at a time; ends with exactly
 * one of {@link #commit}, {@link #suspend} and {@link #abort}, each of which waits for writes that are not done.
 */
public interface Sink {
    /** Writes bytes, which are the sink's to release; positions may come in any order. Done when they are taken. */
    CompletableFuture<Void> write(long position, ByteBuf bytes);

    /**
     * Returns the file that was there when a {@link WriteRequest.Kind#RESTART} began; empty for most others, and where only somebody
     * else knows. Nothing is looked at: whoever has a sink open may have what the next look would wait for.
     */
    default Optional<Entry> old() {
        return Optional.empty();
    }

    /**
     * Returns what it is called until it is whole, where a killed process would leave it there for ever: for its successor to
     * {@link Backend#discard}. Does not change.
     */
    default Optional<String> temporary() {
        return Optional.empty();
    }

    /** Returns whether others wait for what it holds at the server. May be called by any thread; must not block. */
    default boolean isWaitedFor() {
        return false;
    }

    /**
     * Hears that the client has left. What it sent before may still come; a write of the same path may wait for that. May be
     * called by any thread; must not block.
     */
    default void left() {}

    /** Makes durable what the writes that are done by now have taken. */
    CompletableFuture<Void> force();

    /**
     * Returns how many of the bytes that it has taken have reached their place. May be called by any thread; must not
     * block.
     *
     * @param takenBytes of writes that are done
     */
    default long reached(long takenBytes) {
        return takenBytes;
    }

    /**
     * Makes everything durable and then visible at once under its name; told what it has become. Fails if a write has failed,
     * of which the caller need not have heard. Goes on to its end whatever becomes of the caller.
     *
     * @param progress told how many of the bytes that were written have reached their place, on any thread, and each time
     *     only after something has moved since the last one: bytes on their way, or bytes of a file that is checked or
     *     copied, when the number is the same again. Must not block
     */
    CompletableFuture<Entry> commit(LongConsumer progress);

    /**
     * Ends it without anything becoming visible, and keeps what is durable for a write of the same path that resumes;
     * the same as {@link #abort} where nothing can be kept.
     */
    CompletableFuture<Void> suspend();

    /** Ends it and leaves nothing. */
    CompletableFuture<Void> abort();

    /** Returns lines that say where it is, once it is committed; none for one place, which its caller knows. */
    default List<String> results() {
        return List.of();
    }
}
