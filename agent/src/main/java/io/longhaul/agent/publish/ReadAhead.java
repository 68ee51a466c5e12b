package io.longhaul.agent.publish;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a source on a thread of its own, a bounded number of pieces ahead of whoever takes them.
 *
 * <p>The reading thread opens, reads and closes the source; one other thread takes and closes this. A reader that is
 * stuck in a stream of the caller leaves when the stream lets it.
 */
final class ReadAhead implements AutoCloseable {
    private static final long CHECK_MILLIS = 50;

    /** Opens the source; called on the reading thread. */
    @FunctionalInterface
    interface Source {
        Fragments open(Cutter cutter);
    }

    /** The next piece, or the totals at the end, or what went wrong. */
    private record Item(
            @Nullable Fragment fragment,
            Fragments.@Nullable Totals totals,
            @Nullable RuntimeException failure) {}

    private final Source source;
    private final Cutter cutter;
    private final BlockingQueue<Item> ready;
    private final Halt halt;
    private final LongSupplier nanoTime;
    private final AtomicLong busyNs = new AtomicLong();
    private volatile boolean closed;
    private Fragments.@Nullable Totals totals; // taking thread only
    private @Nullable Item next; // taking thread only: what was waited for and not yet taken

    private ReadAhead(Source source, Cutter cutter, int pieces, Halt halt, LongSupplier nanoTime) {
        this.source = source;
        this.cutter = cutter;
        this.ready = new ArrayBlockingQueue<>(pieces);
        this.halt = halt;
        this.nanoTime = nanoTime;
    }

    static ReadAhead start(
            Source source, Cutter cutter, int pieces, Halt halt, Executor executor, LongSupplier nanoTime) {
        ReadAhead ahead = new ReadAhead(source, cutter, pieces, halt, nanoTime);
        executor.execute(ahead::read);
        return ahead;
    }

    private void read() {
        try {
            deliver(readAll());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Item readAll() throws InterruptedException {
        try (Fragments fragments = source.open(cutter)) {
            Fragment next = timed(fragments);
            while (next != null && deliver(new Item(next, null, null))) {
                next = timed(fragments);
            }
            return new Item(null, closed ? null : fragments.totals(), null);
        } catch (RuntimeException e) {
            return new Item(null, null, e);
        } catch (Error e) {
            // the taker waits for whatever ends this
            return new Item(null, null, new IllegalStateException("reading ahead: " + e, e));
        }
    }

    private @Nullable Fragment timed(Fragments fragments) throws InterruptedException {
        long fromNs = nanoTime.getAsLong();
        long waitedNs = cutter.waitedNs();
        Fragment next = fragments.next();
        busyNs.addAndGet(nanoTime.getAsLong() - fromNs - (cutter.waitedNs() - waitedNs));
        return next;
    }

    /** Returns false when nobody wants it any more. */
    private boolean deliver(Item item) throws InterruptedException {
        while (!closed) {
            if (ready.offer(item, CHECK_MILLIS, TimeUnit.MILLISECONDS)) {
                // The taker may have left, and emptied the queue, just before.
                if (closed) {
                    discard();
                }
                return !closed;
            }
        }
        release(item);
        return false;
    }

    /** Returns the next piece, or null at the end; throws what went wrong with the source, or the order to stop. */
    @Nullable
    Fragment take() throws InterruptedException {
        halt.check();
        Item waitedFor = next;
        next = null;
        return open(waitedFor == null ? halt.take(ready) : waitedFor);
    }

    /** Whether {@link #take} would not wait; waits for that, at most so long. The taking thread only. */
    boolean isReady(long longestNs) throws InterruptedException {
        if (next == null) {
            next = ready.poll(longestNs, TimeUnit.NANOSECONDS);
        }
        return next != null;
    }

    private @Nullable Fragment open(Item item) {
        if (item.failure() != null) {
            throw item.failure();
        }
        totals = item.totals();
        return item.fragment();
    }

    /** Returns what is known at the end, after {@link #take} returned null. */
    Fragments.Totals totals() {
        Fragments.Totals known = totals;
        if (known == null) {
            throw new IllegalStateException("the source is not at its end");
        }
        return known;
    }

    /** Returns how long the source took, waits for buffers not counted. */
    long busyNs() {
        return busyNs.get();
    }

    private void discard() {
        for (Item item = ready.poll(); item != null; item = ready.poll()) {
            release(item);
        }
    }

    private void release(Item item) {
        if (item.fragment() != null) {
            cutter.release(item.fragment().body());
        }
    }

    @Override
    public void close() {
        closed = true;
        discard();
        if (next != null) {
            release(next);
            next = null;
        }
    }
}
