package io.longhaul.gridftp.remote;

import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.ForwardingSink;
import io.longhaul.gridftp.spi.Sink;
import io.netty.buffer.ByteBuf;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/** A sink whose end somebody hears of. */
final class NotedSink implements ForwardingSink {
    private final Sink sink;
    private final LongAdder taken = new LongAdder();
    private final End end;

    /** Is told once. */
    @FunctionalInterface
    interface End {
        void ended(long bytes, Optional<String> failure);
    }

    NotedSink(Sink sink, End end) {
        this.sink = sink;
        this.end = end;
    }

    @Override
    public Sink sink() {
        return sink;
    }

    @Override
    public CompletableFuture<Void> write(long position, ByteBuf bytes) {
        taken.add(bytes.readableBytes());
        return sink.write(position, bytes);
    }

    @Override
    public CompletableFuture<Entry> commit(LongConsumer progress) {
        return sink.commit(progress)
                .whenComplete((entry, failure) ->
                        end.ended(taken.sum(), Optional.ofNullable(failure).map(TransferEnd::reason)));
    }

    @Override
    public CompletableFuture<Void> suspend() {
        return sink.suspend().whenComplete((done, failure) -> end.ended(taken.sum(), Optional.of("suspended")));
    }

    @Override
    public CompletableFuture<Void> abort() {
        return sink.abort().whenComplete((done, failure) -> end.ended(taken.sum(), Optional.of("aborted")));
    }
}
