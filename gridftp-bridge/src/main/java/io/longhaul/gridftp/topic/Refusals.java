package io.longhaul.gridftp.topic;

import io.longhaul.agent.AgentException;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/** What failures are to a client, who knows a path and not where the front keeps it. */
final class Refusals {
    private Refusals() {}

    static BackendException of(FilePath path, Throwable failure) {
        if (failure instanceof BackendException known) {
            return known;
        }
        String message = path + ": topic " + TopicPath.topic(path) + ": " + failure.getMessage();
        Code code = failure instanceof AgentException known ? code(known.code()) : Code.FAILED;
        return new BackendException(code, message, failure);
    }

    private static Code code(AgentException.Code code) {
        return switch (code) {
            case USAGE -> Code.BAD_NAME;
            case UNREACHABLE, REFUSED, INTERRUPTED -> Code.UNAVAILABLE;
            case TRANSFER_FAILED, VERIFICATION_FAILED -> Code.FAILED;
        };
    }

    /** Returns the same future with the client's path in failures in place of the one in the store. */
    static <T> CompletableFuture<T> renaming(CompletableFuture<T> future, FilePath stored, FilePath path) {
        return future.handle((done, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(done);
                    }
                    Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                            ? failure.getCause()
                            : failure;
                    return CompletableFuture.<T>failedFuture(
                            cause instanceof BackendException known ? renamed(known, stored, path) : cause);
                })
                .thenCompose(Function.identity());
    }

    private static BackendException renamed(BackendException failure, FilePath stored, FilePath path) {
        String message = String.valueOf(failure.getMessage()).replace(stored.toString(), path.toString());
        return new BackendException(failure.code(), message, failure);
    }
}
