package io.longhaul.gridftp.remote;

import io.longhaul.gridftp.spi.Block;
import io.longhaul.gridftp.spi.Source;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/** A source whose end somebody hears of when it is closed. */
final class NotedSource implements Source {
    private final Source source;
    private final NotedSink.End end;
    private final LongAdder given = new LongAdder();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile Optional<String> failure = Optional.of("closed before its end");

    NotedSource(Source source, NotedSink.End end) {
        this.source = source;
        this.end = end;
    }

    @Override
    public CompletableFuture<Optional<Block>> next() {
        return source.next().whenComplete((block, reason) -> {
            if (reason != null) {
                failure = Optional.of(TransferEnd.reason(reason));
            } else if (block.isPresent()) {
                given.add(block.get().bytes().readableBytes());
            } else {
                failure = Optional.empty();
            }
        });
    }

    @Override
    public void close() {
        source.close();
        if (!closed.getAndSet(true)) {
            end.ended(given.sum(), failure);
        }
    }
}
