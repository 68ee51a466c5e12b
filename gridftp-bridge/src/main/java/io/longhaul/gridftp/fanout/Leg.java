package io.longhaul.gridftp.fanout;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.Sink;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** One of several places of a file. After its first failure it takes nothing more; its futures never fail. Thread-safe. */
final class Leg {
    private final String label;
    private final Duration patience;
    private @Nullable Sink sink; // guarded by this; null once it has ended
    private @Nullable BackendException failure; // guarded by this
    private @Nullable Entry entry; // guarded by this
    private long reached; // guarded by this

    private Leg(String label, Duration patience) {
        this.label = label;
        this.patience = patience;
    }

    static Leg open(String label, Sink sink, Duration patience) {
        Leg leg = new Leg(label, patience);
        leg.sink = sink;
        return leg;
    }

    static Leg failed(String label, Throwable why) {
        Leg leg = new Leg(label, Duration.ZERO);
        leg.fail(why);
        return leg;
    }

    String label() {
        return label;
    }

    synchronized Optional<BackendException> failure() {
        return Optional.ofNullable(failure);
    }

    synchronized Optional<Entry> entry() {
        return Optional.ofNullable(entry);
    }

    synchronized boolean isOpen() {
        return sink != null;
    }

    private synchronized void fail(Throwable why) {
        Throwable cause = why instanceof CompletionException && why.getCause() != null ? why.getCause() : why;
        if (failure == null) {
            failure = cause instanceof BackendException known ? known : unexpected(cause);
        }
        Sink ended = sink;
        sink = null;
        if (ended != null) {
            ended.abort();
        }
    }

    private BackendException unexpected(Throwable cause) {
        return cause instanceof TimeoutException
                ? new BackendException(
                        Code.UNAVAILABLE, "Connection timed out: nothing was taken for " + patience.toSeconds() + " s")
                : new BackendException(
                        Code.FAILED, cause.getClass().getSimpleName() + ": " + cause.getMessage(), cause);
    }

    CompletableFuture<Void> write(long position, ByteBuf bytes) {
        CompletableFuture<Void> written;
        synchronized (this) {
            if (sink == null) {
                bytes.release();
                return CompletableFuture.completedFuture(null);
            }
            written = sink.write(position, bytes);
        }
        return settled(written.copy().orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS));
    }

    private CompletableFuture<Void> settled(CompletableFuture<Void> future) {
        return future.handle((done, why) -> {
            if (why != null) {
                fail(why);
            }
            return null;
        });
    }

    synchronized void left() {
        if (sink != null) {
            sink.left();
        }
    }

    CompletableFuture<Void> force() {
        return settled(with(Sink::force));
    }

    private synchronized CompletableFuture<Void> with(Function<Sink, CompletableFuture<Void>> call) {
        return sink == null ? CompletableFuture.completedFuture(null) : call.apply(sink);
    }

    /** Ends it with one of the sink's endings. */
    CompletableFuture<Void> end(Function<Sink, CompletableFuture<Void>> ending) {
        Sink ended;
        synchronized (this) {
            ended = sink;
            sink = null;
        }
        return ended == null ? CompletableFuture.completedFuture(null) : settled(ending.apply(ended));
    }

    CompletableFuture<Void> commit(LongConsumer progress) {
        return end(ended -> ended.commit(bytes -> {
                    synchronized (this) {
                        reached = Math.max(reached, bytes);
                    }
                    progress.accept(bytes);
                })
                .thenAccept(this::committed));
    }

    private synchronized void committed(Entry found) {
        entry = found;
    }

    synchronized long reached() {
        return reached;
    }

    synchronized long reached(long takenBytes) {
        return sink == null ? takenBytes : sink.reached(takenBytes);
    }
}
