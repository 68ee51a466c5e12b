package io.longhaul.gridftp.server;

import io.longhaul.gridftp.client.SessionPool;
import io.longhaul.gridftp.client.Waiting;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.function.LongConsumer;

/**
 * Writes part of a file. FTP's own ways to do that leave half of it in a file that was whole when they are cut, so a new
 * file is made of old and new bytes and put in place at once.
 *
 * <pre>
 *  write    ==> .NAME.lh-1   only the new bytes, from the first one on
 *  commit   NAME ==\
 *                   ==> .NAME.lh-2 ==rename==> NAME, if NAME is still what was copied; else once more
 *  .NAME.lh-1 =====/
 * </pre>
 *
 * <p>The new bytes begin at the origin of the request, or else with those that come first.
 */
final class PartialSink implements Sink {
    private static final int ZEROS = 1024 * 1024;
    private static final int TRIES = 5;

    private final Server server;
    private final SessionPool.Lease lease;
    private final WriteRequest request;
    private final Optional<Entry> old;
    private final TemporaryFile news;

    private final ByteRanges written = new ByteRanges(); // guarded by this
    private long origin; // of the new bytes; negative until it is known; guarded by this
    private boolean ended; // guarded by this
    private boolean isAsked; // whether the server may have put it in place; only the thread that commits

    /**
     * Takes over a lease and a file.
     *
     * @param old the file that the sender takes for granted
     * @param news takes the new bytes
     */
    PartialSink(Server server, SessionPool.Lease lease, WriteRequest request, Optional<Entry> old, TemporaryFile news) {
        this.server = server;
        this.lease = lease;
        this.request = request;
        this.old = old;
        this.news = news;
        this.origin = request.origin().orElse(-1);
    }

    private FilePath path() {
        return request.path();
    }

    @Override
    public synchronized CompletableFuture<Void> write(long position, ByteBuf bytes) {
        if (ended) {
            bytes.release();
            return CompletableFuture.failedFuture(new IllegalStateException(path() + ": written after its end"));
        }
        if (!bytes.isReadable()) {
            bytes.release();
            return CompletableFuture.completedFuture(null);
        }
        origin = origin < 0 ? position : origin;
        if (position < origin) {
            bytes.release();
            return CompletableFuture.failedFuture(new BackendException(
                    Code.FAILED,
                    path() + ": expected bytes of the part behind " + origin + ", found some at " + position));
        }
        written.add(position, position + bytes.readableBytes());
        return news.write(position - origin, bytes);
    }

    @Override
    public Optional<Entry> old() {
        return old;
    }

    @Override
    public boolean isWaitedFor() {
        return server.pool().isCrowded();
    }

    @Override
    public Optional<String> temporary() {
        return Optional.of(news.place());
    }

    private Optional<Remains.Version> basis() {
        return old.map(Remains.Version::of);
    }

    /** Nothing of it can be gone on with, so nothing needs to be promised. */
    @Override
    public CompletableFuture<Void> force() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Entry> commit(LongConsumer progress) {
        return end(() -> {
            Lock lock = server.locks().of(path());
            try {
                long length = news.finish(progress);
                lock.lock();
                try {
                    return composed(length, bytes -> progress.accept(news.reached()));
                } finally {
                    lock.unlock();
                }
            } catch (BackendException e) {
                doubt();
                throw isAsked ? e : e.untried();
            } finally {
                news.discard();
            }
        });
    }

    private Entry composed(long newsLength, LongConsumer progress) {
        for (int i = 0; i < TRIES; i++) {
            Optional<Entry> there = there();
            if (old.isPresent() && !basis().equals(there.map(Remains.Version::of))) {
                throw new BackendException(
                        Code.BAD_RANGE, path() + ": it is not the file any more that was there at the restart");
            }
            Optional<Entry> placed = composed(there, newsLength, progress);
            if (placed.isPresent()) {
                return placed.get();
            }
        }
        throw new BackendException(Code.UNAVAILABLE, path() + ": it changes while it is copied, try again later");
    }

    private Optional<Entry> there() {
        return server.names().find(lease.session(), path());
    }

    /** Makes the file of both; empty when the old one has changed meanwhile. */
    private Optional<Entry> composed(Optional<Entry> before, long newsLength, LongConsumer progress) {
        TemporaryFile whole = TemporaryFile.create(server, lease, path(), 0, true);
        try {
            fill(whole, before.map(Entry::length).orElse(0L), newsLength, progress);
            long length = whole.finish(progress);
            request.checksum().ifPresent(checksum -> whole.demand(length, checksum, progress));
            if (!there().map(Remains.Version::of).equals(before.map(Remains.Version::of))) {
                whole.discard();
                return Optional.empty();
            }
            isAsked = true;
            return Optional.of(whole.place(length, before));
        } catch (BackendException e) {
            whole.discard();
            throw e;
        }
    }

    private void fill(TemporaryFile whole, long oldLength, long newsLength, LongConsumer progress) {
        String from = server.names().places().of(path());
        boolean appends = request.kind() == WriteRequest.Kind.APPEND;
        ByteRanges parts;
        synchronized (this) {
            parts = ByteRanges.of(written.list());
        }
        long shift = appends ? oldLength : 0;
        long at = 0;
        for (ByteRange part : parts.list()) {
            copyOld(whole, from, new ByteRange(at, Math.max(at, part.start() + shift)), oldLength, progress);
            whole.copy(
                    news.place(),
                    new ByteRange(part.start() - origin(), part.end() - origin()),
                    newsLength,
                    part.start() + shift,
                    progress);
            at = part.end() + shift;
        }
        copyOld(whole, from, new ByteRange(at, Math.max(at, oldLength)), oldLength, progress);
    }

    private synchronized long origin() {
        return origin;
    }

    /** Copies what the old file has of a range; behind its end are zeros, for which the bytes behind them cannot wait. */
    private void copyOld(TemporaryFile whole, String from, ByteRange range, long oldLength, LongConsumer progress) {
        long at = range.start();
        long end = Math.min(range.end(), oldLength);
        if (at < end) {
            whole.copy(from, new ByteRange(at, end), oldLength, at, progress);
            at = end;
        }
        Duration limit = server.pool().config().limits().stall().multipliedBy(2);
        while (at < range.end()) {
            int length = (int) Math.min(ZEROS, range.end() - at);
            Waiting.on(whole.write(at, Unpooled.wrappedBuffer(new byte[length])), limit, path().toString());
            at += length;
            progress.accept(at);
        }
    }

    private void doubt() {
        long end = ByteRanges.of(request.present()).end();
        basis().ifPresent(version -> server.remains().doubts().add(path(), version, end));
    }

    /** The same as {@link #abort}: what such a part would need of the file may be another's by then. */
    @Override
    public CompletableFuture<Void> suspend() {
        return abort();
    }

    @Override
    public CompletableFuture<Void> abort() {
        return end(() -> {
            doubt();
            news.discard();
            return null;
        });
    }

    private <T> CompletableFuture<T> end(Callable<? extends T> last) {
        synchronized (this) {
            if (ended) {
                return CompletableFuture.failedFuture(new IllegalStateException(path() + ": ended twice"));
            }
            ended = true;
        }
        return server.pool().run(() -> {
            try (lease) {
                return last.call();
            } finally {
                server.tidyLater();
            }
        });
    }
}
