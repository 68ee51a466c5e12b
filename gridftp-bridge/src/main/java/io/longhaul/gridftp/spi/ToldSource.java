package io.longhaul.gridftp.spi;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A source that fails in other words. */
record ToldSource(Source source, PathWords words) implements Source {
    @Override
    public CompletableFuture<Optional<Block>> next() {
        return words.told(source.next());
    }

    @Override
    public boolean isFromTheStart() {
        return source.isFromTheStart();
    }

    @Override
    public void close() {
        source.close();
    }
}
