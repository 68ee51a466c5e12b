package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.content.ContentStore;
import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.thread.Guarded;
import io.longhaul.storage.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What transfers need of their process.
 *
 * @param store where their contents are
 * @param thread that owns their state
 * @param disk threads that may wait for it
 * @param random makes up numbers
 */
record World(
        ContentStore store,
        ScheduledExecutorService thread,
        Executor disk,
        LongSupplier nanoTime,
        Clock clock,
        RandomGenerator random) {
    private static final Logger LOG = LoggerFactory.getLogger(World.class);

    /** Does something on the thread that owns the state; nothing when the process is ending. */
    void execute(Runnable action) {
        try {
            thread.execute(Guarded.by(LOG, action));
        } catch (RejectedExecutionException e) {
            // the next process takes it up
        }
    }

    /** Does something on the thread that owns the state, after a time. */
    void after(Duration time, Runnable action) {
        try {
            thread.schedule(Guarded.by(LOG, action), time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // the next process takes it up
        }
    }

    /**
     * Returns a new content; waits for the disk. Throws when too many are in use: a server that is away must not fill memory
     * and disk with what waits for it.
     */
    Content create(Number128 id, String note) {
        if (store.isFull()) {
            throw BackendException.away("too many files are on their way: Resource temporarily unavailable", null);
        }
        return store.create(id, note);
    }

    /** Does something that waits for the disk; failures are {@link BackendException}s. */
    <T> CompletableFuture<T> onDisk(Executor where, Callable<T> call) {
        CompletableFuture<T> done = new CompletableFuture<>();
        try {
            where.execute(() -> {
                try {
                    done.complete(call.call());
                } catch (Throwable e) {
                    // whoever waits must hear of errors too
                    done.completeExceptionally(told(e));
                }
            });
        } catch (RejectedExecutionException e) {
            done.completeExceptionally(BackendException.away("the bridge is ending", e));
        } catch (Error e) {
            done.completeExceptionally(BackendException.away("no thread for it: " + e, e));
        }
        return done;
    }

    /** Returns a failure of the disk for clients, who are not to know where this process keeps its files. */
    BackendException told(Throwable failure) {
        return failure(failure).inWords(words -> words.replace(store.directory().toString(), "--data"));
    }

    /** Returns what went wrong in the words of back ends. */
    static BackendException failure(@Nullable Throwable failure) {
        Throwable cause = failure == null ? null : BackendException.cause(failure);
        if (cause instanceof BackendException known) {
            return known;
        }
        if (cause instanceof StorageException storage) {
            return switch (storage.code()) {
                case NO_SPACE ->
                    new BackendException(Code.NO_SPACE, "No space left on device: " + storage.getMessage(), storage);
                // removed in the moment in which it was wanted again
                // or trouble of this machine, which passes or is seen to: no word of the server's
                case CLOSED, IO, LOST -> BackendException.away(String.valueOf(storage.getMessage()), storage);
                case IN_USE, DAMAGED, VERSION ->
                    new BackendException(Code.FAILED, String.valueOf(storage.getMessage()), storage);
            };
        }
        if (cause instanceof IOException
                || cause instanceof UncheckedIOException
                || cause instanceof OutOfMemoryError) {
            return BackendException.away("trouble of this machine: " + cause, cause);
        }
        return cause == null
                ? new BackendException(Code.FAILED, "unexpected end")
                : new BackendException(Code.FAILED, "unexpected " + cause, cause);
    }
}
