package io.longhaul.gridftp.spi;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;

/**
 * Bytes on their way into a file, which nobody sees before they are committed. One caller at a time; ends with exactly
 * one of {@link #commit}, {@link #suspend} and {@link #abort}, each of which waits for writes that are not done.
 */
public interface Sink {
    /** Writes bytes, which are the sink's to release; positions may come in any order. Done when they are taken. */
    CompletableFuture<Void> write(long position, ByteBuf bytes);

    /** Makes durable what the writes that are done by now have taken. */
    CompletableFuture<Void> force();

    /** Makes everything durable and then visible at once under its name; told what it has become. */
    CompletableFuture<Entry> commit();

    /**
     * Ends it without anything becoming visible, and keeps what is durable for a write of the same path that resumes;
     * the same as {@link #abort} where nothing can be kept.
     */
    CompletableFuture<Void> suspend();

    /** Ends it and leaves nothing. */
    CompletableFuture<Void> abort();
}
