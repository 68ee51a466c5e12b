package io.longhaul.gridftp.spi;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A file that is being read. One caller at a time. */
public interface Source extends AutoCloseable {
    /**
     * Asks for the next bytes, which are empty at the end.
     *
     * <p>Several may be asked for at a time; blocks come in ascending order of the asking, though their futures may
     * complete in any.
     */
    CompletableFuture<Optional<Block>> next();

    /** Returns whether who goes on later with another one has all that comes before it read again. */
    default boolean isFromTheStart() {
        return false;
    }

    /** Ends the reading; what was asked for is released by the source. Idempotent; returns at once. */
    @Override
    void close();
}
