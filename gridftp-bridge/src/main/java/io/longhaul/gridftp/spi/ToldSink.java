package io.longhaul.gridftp.spi;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/** A sink that fails in other words. */
record ToldSink(Sink sink, PathWords words) implements ForwardingSink {
    @Override
    public CompletableFuture<Void> write(long position, ByteBuf bytes) {
        return words.told(sink.write(position, bytes));
    }

    @Override
    public CompletableFuture<Void> force() {
        return words.told(sink.force());
    }

    @Override
    public CompletableFuture<Entry> commit(LongConsumer progress) {
        return words.told(sink.commit(progress));
    }

    @Override
    public CompletableFuture<Void> suspend() {
        return words.told(sink.suspend());
    }

    @Override
    public CompletableFuture<Void> abort() {
        return words.told(sink.abort());
    }
}
