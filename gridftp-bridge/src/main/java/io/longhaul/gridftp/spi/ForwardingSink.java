package io.longhaul.gridftp.spi;

import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/** A sink that is another one, but for what whoever implements this changes. Thread-safe as that one is. */
public interface ForwardingSink extends Sink {
    /** Returns the other one; always the same. */
    Sink sink();

    @Override
    default CompletableFuture<Void> write(long position, ByteBuf bytes) {
        return sink().write(position, bytes);
    }

    @Override
    default Optional<Entry> old() {
        return sink().old();
    }

    @Override
    default Optional<String> temporary() {
        return sink().temporary();
    }

    @Override
    default boolean isWaitedFor() {
        return sink().isWaitedFor();
    }

    @Override
    default void left() {
        sink().left();
    }

    @Override
    default CompletableFuture<Void> force() {
        return sink().force();
    }

    @Override
    default long reached(long takenBytes) {
        return sink().reached(takenBytes);
    }

    @Override
    default CompletableFuture<Entry> commit(LongConsumer progress) {
        return sink().commit(progress);
    }

    @Override
    default CompletableFuture<Void> suspend() {
        return sink().suspend();
    }

    @Override
    default CompletableFuture<Void> abort() {
        return sink().abort();
    }

    @Override
    default List<String> results() {
        return sink().results();
    }
}
