package io.longhaul.gridftp.fanout;

import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.ForwardingSink;
import io.longhaul.gridftp.spi.Sink;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/**
 * A sink whose end somebody hears of. Thread-safe as the sink is.
 *
 * @param ended run once it is committed, suspended or aborted, or could not be; on any thread, must not block or throw
 */
public record EndingSink(Sink sink, Runnable ended) implements ForwardingSink {
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
}
