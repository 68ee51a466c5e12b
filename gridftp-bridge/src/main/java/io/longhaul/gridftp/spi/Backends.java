package io.longhaul.gridftp.spi;

import java.util.concurrent.CompletableFuture;

/** Gives each user the files that are the user's to see. Thread-safe. */
@FunctionalInterface
public interface Backends {
    /** Returns the files of a user; whoever made this closes them. Must not block. */
    Backend of(Principal user);

    /**
     * Returns as whom a server is asked for a user; empty where that is the same for everybody. What was read as one is not given
     * to another.
     */
    default String login(Principal user) {
        return "";
    }

    /**
     * Begins to write a file at several places at a time. Fails only when no place takes it; of those that fail later the
     * commit tells, after the others have it.
     *
     * @param files of the user who asks
     */
    default CompletableFuture<Sink> write(Backend files, WriteRequest request, Copies copies) {
        return CompletableFuture.failedFuture(new BackendException(
                BackendException.Code.UNSUPPORTED, request.path() + ": this server stores at one place at a time"));
    }
}
