package io.longhaul.gridftp.fanout;

import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.Sink;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/**
 * A sink whose end somebody hears of. Thread-safe as the sink is.
 *
 * @param ended run once it is committed, suspended or aborted, or could not be; on any thread, must not block or throw
 */
public record EndingSink(Sink sink, Runnable ended) implements Sink {
    @Override
    public CompletableFuture<Void> write(long position, ByteBuf bytes) {
        return sink.write(position, bytes);
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
    public void left() {
        sink.left();
    }

    @Override
    public CompletableFuture<Void> force() {
        return sink.force();
    }

    @Override
    public long reached(long takenBytes) {
        return sink.reached(takenBytes);
    }

    @Override
    public CompletableFuture<Entry> commit(LongConsumer progress) {
        return sink.commit(progress).whenComplete((entry, failure) -> ended.run());
    }

    @Override
    public CompletableFuture<Void> suspend() {
        return sink.suspend().whenComplete((done, failure) -> ended.run());
    }

    @Override
    public CompletableFuture<Void> abort() {
        return sink.abort().whenComplete((done, failure) -> ended.run());
    }

    @Override
    public List<String> results() {
        return sink.results();
    }
}
