package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.call.Caller;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.FilePath;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Commands behind files that clients were told to be stored, and that are not at the server yet: commands of one session take
 * effect in their order (RFC 959, section 5.4), and a file that is renamed or removed is the one that was sent before. Thread-safe.
 */
final class SpooledFirst {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    /** Who only looks sees what is there when the server is away for long. */
    private static final Duration LOOKING = Duration.ofSeconds(10);

    private final World world;
    private final Uploads uploads;

    SpooledFirst(World world, Uploads uploads) {
        this.world = world;
        this.uploads = uploads;
    }

    /** Looks at a path when what was sent to it before is there, or after a while. */
    <T> CompletableFuture<T> look(String endpoint, FilePath path, Supplier<CompletableFuture<T>> look) {
        return after(endpoint, List.of(path), LOOKING, look, look);
    }

    /** Does something with paths when what was sent to them before, or below them, is there; fails when that takes too long. */
    <T> CompletableFuture<T> use(String endpoint, List<FilePath> paths, Supplier<CompletableFuture<T>> use) {
        return after(
                endpoint,
                paths,
                Caller.PATIENCE,
                use,
                () -> CompletableFuture.failedFuture(BackendException.away(
                        paths.get(0)
                                + ": what was sent before is not at the server yet: Resource temporarily unavailable",
                        null)));
    }

    private <T> CompletableFuture<T> after(
            String endpoint,
            List<FilePath> paths,
            Duration most,
            Supplier<CompletableFuture<T>> then,
            Supplier<CompletableFuture<T>> otherwise) {
        if (!uploads.isUnderWay(endpoint, paths)) {
            return then.get();
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        long untilNs = world.nanoTime().getAsLong() + most.toNanos();
        world.after(BETWEEN_LOOKS, new Runnable() {
            @Override
            public void run() {
                if (result.isDone()) {
                    return; // nobody wants it any more
                }
                if (!uploads.isUnderWay(endpoint, paths)) {
                    pass(then.get(), result);
                } else if (world.nanoTime().getAsLong() < untilNs) {
                    world.after(BETWEEN_LOOKS, this);
                } else {
                    pass(otherwise.get(), result);
                }
            }
        });
        return result;
    }

    private static <T> void pass(CompletableFuture<T> from, CompletableFuture<T> to) {
        to.whenComplete((done, failure) -> from.cancel(false)); // as far as it is cancelled
        from.whenComplete((done, failure) -> {
            if (failure == null) {
                to.complete(done);
            } else {
                to.completeExceptionally(BackendException.cause(failure));
            }
        });
    }
}
