package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.call.Caller;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Commands behind files that clients were told to be stored, and that are not at the server yet: commands of one session take
 * effect in their order (RFC 959, section 5.4), and a file that is renamed or removed is the one that was sent before. Files that
 * are sent after a command are not waited for. Thread-safe.
 */
final class SpooledFirst {
    /** Who only looks sees what is there when the server is away for long. */
    private static final Duration LOOKING = Duration.ofSeconds(10);

    private final World world;
    private final Uploads uploads;

    SpooledFirst(World world, Uploads uploads) {
        this.world = world;
        this.uploads = uploads;
    }

    /** Looks at a path when what was sent to it before is there, or after a while; nothing there is no answer then. */
    <T> CompletableFuture<T> look(String endpoint, FilePath path, Supplier<CompletableFuture<T>> look) {
        return after(
                endpoint,
                path::equals,
                LOOKING,
                look,
                () -> look.get()
                        .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                                BackendException.codeOf(failure).equals(Optional.of(Code.NOT_FOUND))
                                        ? away(path)
                                        : failure)));
    }

    /** Uses a file when what was sent to it before is there; fails when that takes too long. */
    <T> CompletableFuture<T> use(String endpoint, FilePath path, Supplier<CompletableFuture<T>> use) {
        return after(endpoint, path::equals, Caller.PATIENCE, use, () -> CompletableFuture.failedFuture(away(path)));
    }

    /** Moves or removes paths when what was sent to them before, or below them, is there; fails when that takes too long. */
    <T> CompletableFuture<T> change(String endpoint, List<FilePath> paths, Supplier<CompletableFuture<T>> change) {
        return after(
                endpoint,
                sent -> paths.stream().anyMatch(sent::startsWith),
                Caller.PATIENCE,
                change,
                () -> CompletableFuture.failedFuture(away(paths.get(0))));
    }

    private static BackendException away(FilePath path) {
        return BackendException.away(
                path + ": what was sent before is not at the server yet: Resource temporarily unavailable", null);
    }

    private <T> CompletableFuture<T> after(
            String endpoint,
            Predicate<FilePath> sent,
            Duration most,
            Supplier<CompletableFuture<T>> then,
            Supplier<CompletableFuture<T>> otherwise) {
        CompletableFuture<Void> there = uploads.arrived(endpoint, sent);
        if (there.isDone()) {
            return then.get();
        }
        CompletableFuture<Supplier<CompletableFuture<T>>> next = new CompletableFuture<>();
        there.whenComplete((done, failure) -> world.execute(() -> next.complete(then)));
        world.after(most, () -> next.complete(otherwise));
        CompletableFuture<T> result = new CompletableFuture<>();
        next.thenAccept(step -> {
            if (!result.isDone()) { // else nobody wants it any more
                pass(step, result);
            }
        });
        return result;
    }

    private static <T> void pass(Supplier<CompletableFuture<T>> step, CompletableFuture<T> to) {
        try {
            CompletableFuture<T> from = step.get();
            to.whenComplete((done, failure) -> from.cancel(false)); // as far as it is cancelled
            from.whenComplete((done, failure) -> {
                if (failure == null) {
                    to.complete(done);
                } else {
                    to.completeExceptionally(BackendException.cause(failure));
                }
            });
        } catch (RuntimeException | Error e) {
            to.completeExceptionally(e);
        }
    }
}
