package io.longhaul.gridftp.fanout;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.Sink;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** One of several places of a file. After its first failure it takes nothing more; its futures never fail. Thread-safe. */
final class Leg {
    private static final int LOOKS = 4; // within the patience

    private final String label;
    private final Patience patience;
    private @Nullable Sink sink; // guarded by this; null once it has ended
    private @Nullable BackendException failure; // guarded by this
    private @Nullable Entry entry; // guarded by this
    private long reached; // guarded by this

    private Leg(String label, Patience patience) {
        this.label = label;
        this.patience = patience;
    }

    static Leg open(String label, Sink sink, Patience patience) {
        Leg leg = new Leg(label, patience);
        leg.sink = sink;
        return leg;
    }

    static Leg failed(String label, Throwable why) {
        Leg leg = new Leg(label, Patience.of(Duration.ZERO));
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
        Throwable cause = BackendException.cause(why);
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
                        Code.UNAVAILABLE,
                        "Connection timed out: nothing was taken for "
                                + patience.limit().toSeconds() + " s")
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
        return settled(written.copy().orTimeout(patience.limit().toMillis(), TimeUnit.MILLISECONDS));
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

    /** A place that is not heard of is not waited for, and not aborted either: it may be about to have the file. */
    CompletableFuture<Void> commit(LongConsumer progress) {
        AtomicBoolean isHeard = new AtomicBoolean();
        CompletableFuture<Void> done = end(ended -> ended.commit(bytes -> {
                    isHeard.set(true);
                    synchronized (this) {
                        reached = Math.max(reached, bytes);
                    }
                    progress.accept(bytes);
                })
                .thenAccept(this::committed));
        CompletableFuture<Void> answered = done.copy();
        if (!answered.isDone()) {
            watch(answered, isHeard, 0);
        }
        return answered;
    }

    private void watch(CompletableFuture<Void> answered, AtomicBoolean isHeard, int silentLooks) {
        if (silentLooks == LOOKS) {
            notHeard();
            answered.complete(null);
            return;
        }
        patience.after().apply(patience.limit().dividedBy(LOOKS)).execute(() -> {
            if (!answered.isDone()) {
                watch(answered, isHeard, isHeard.getAndSet(false) ? 0 : silentLooks + 1);
            }
        });
    }

    private synchronized void notHeard() {
        if (failure == null && entry == null) {
            failure = new BackendException(
                    Code.UNAVAILABLE,
                    "Connection timed out: not heard of for " + patience.limit().toSeconds()
                            + " s; it may still arrive");
        }
    }

    private synchronized void committed(Entry found) {
        // what was told stays
        entry = failure == null ? found : null;
    }

    synchronized long reached() {
        return reached;
    }

    synchronized long reached(long takenBytes) {
        return sink == null ? takenBytes : sink.reached(takenBytes);
    }
}
