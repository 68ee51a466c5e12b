package io.longhaul.gridftp.spi;

import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/** A sink that fails in other words. */
record ToldSink(Sink sink, PathWords words) implements Sink {
    @Override
    public CompletableFuture<Void> write(long position, ByteBuf bytes) {
        return words.told(sink.write(position, bytes));
    }

    @Override
    public Optional<Entry> old() {
        return sink.old();
    }

    @Override
    public Optional<String> temporary() {
        return sink.temporary();
    }

    @Override
    public boolean isWaitedFor() {
        return sink.isWaitedFor();
    }

    @Override
    public void left() {
        sink.left();
    }

    @Override
    public CompletableFuture<Void> force() {
        return words.told(sink.force());
    }

    @Override
    public long reached(long takenBytes) {
        return sink.reached(takenBytes);
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

    @Override
    public List<String> results() {
        return sink.results();
    }
}
