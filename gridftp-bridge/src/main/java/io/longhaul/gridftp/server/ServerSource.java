package io.longhaul.gridftp.server;

import io.longhaul.gridftp.client.Download;
import io.longhaul.gridftp.client.Session;
import io.longhaul.gridftp.client.SessionPool;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Block;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Source;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads ranges of a file one after the other, each by a command of its own, and counts what comes. */
final class ServerSource implements Source {
    private final FilePath path;
    private final String place;
    private final long size;
    private final SessionPool pool;
    private final SessionPool.Lease lease;
    private final Deque<ByteRange> left;

    private CompletableFuture<?> asked = CompletableFuture.completedFuture(null); // guarded by this
    private boolean closed; // guarded by this
    private @Nullable Download current; // guarded by this
    private long position; // of one block at a time
    private boolean isExact; // of one block at a time
    private volatile boolean isFromTheStart;

    private ServerSource(
            FilePath path, String place, long size, SessionPool pool, SessionPool.Lease lease, List<ByteRange> ranges) {
        this.path = path;
        this.place = place;
        this.size = size;
        this.pool = pool;
        this.lease = lease;
        this.left = new ArrayDeque<>(ranges);
    }

    /**
     * Opens a file; may wait.
     *
     * @param place the server's path
     * @param size of the file
     * @param ranges within it
     * @param lease given back when the source is closed
     */
    static ServerSource open(
            FilePath path, String place, long size, SessionPool pool, SessionPool.Lease lease, List<ByteRange> ranges) {
        ServerSource source = new ServerSource(path, place, size, pool, lease, ranges);
        if (!ranges.isEmpty()) {
            source.begin();
        }
        return source;
    }

    /** Begins the next range. */
    private Download begin() {
        ByteRange range = left.getFirst();
        Session session = lease.session();
        Download download;
        if (range.start() == 0 && range.end() == size) {
            download = Download.begin(path.toString(), session, "RETR " + place);
        } else if (session.features().has("ERET")) {
            download = Download.begin(
                    path.toString(), session, "ERET P " + range.start() + " " + range.length() + " " + place);
        } else {
            download = Download.from(range.start(), path.toString(), session, "RETR " + place);
        }
        // a server that says nothing of REST may know it all the same, but that is not worth a question
        isFromTheStart = !session.features().has("ERET") && !session.features().has("REST");
        synchronized (this) {
            current = download;
            position = range.start();
            isExact = range.end() == size || session.features().has("ERET");
            if (closed) {
                download.close();
            }
        }
        return download;
    }

    @Override
    public synchronized CompletableFuture<Optional<Block>> next() {
        if (closed) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        CompletableFuture<Optional<Block>> next =
                asked.handle((done, failure) -> null).thenCompose(done -> step());
        asked = next;
        return next;
    }

    private CompletableFuture<Optional<Block>> step() {
        Download download;
        synchronized (this) {
            if (left.isEmpty() || closed) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            download = current;
        }
        CompletableFuture<Download> ready =
                download == null ? pool.run(this::begin) : CompletableFuture.completedFuture(download);
        return ready.thenCompose(begun -> begun.next()).thenCompose(this::taken);
    }

    private CompletableFuture<Optional<Block>> taken(Optional<ByteBuf> bytes) {
        ByteRange range = left.getFirst();
        if (bytes.isEmpty()) {
            throw new BackendException(
                    Code.UNAVAILABLE,
                    path + ": expected bytes up to " + range.end() + ", found the end at " + position
                            + ": it became shorter, or the server did not say all");
        }
        ByteBuf found = bytes.get();
        int length = (int) Math.min(found.readableBytes(), range.end() - position);
        Block block = new Block(position, found.readSlice(length));
        position += length;
        synchronized (this) {
            if (closed) {
                found.release();
                return CompletableFuture.completedFuture(Optional.empty());
            }
        }
        if (position < range.end()) {
            return CompletableFuture.completedFuture(Optional.of(block));
        }
        return end(found.isReadable()).handle((done, failure) -> {
            if (failure != null) {
                block.bytes().release();
                throw Server.failure(path, failure);
            }
            return Optional.of(block);
        });
    }

    /** The last byte of a range is there: the server must agree, unless it goes on to the file's end. */
    private CompletableFuture<Void> end(boolean goesOn) {
        Download download;
        left.removeFirst();
        synchronized (this) {
            download = current;
            current = null;
        }
        if (download == null) {
            return CompletableFuture.completedFuture(null);
        }
        if (goesOn || !isExact) {
            download.close();
            return CompletableFuture.completedFuture(null);
        }
        return download.next().thenAccept(more -> {
            more.ifPresent(ByteBuf::release);
            if (more.isPresent()) {
                download.close();
            }
        });
    }

    @Override
    public boolean isFromTheStart() {
        return isFromTheStart;
    }

    @Override
    public void close() {
        CompletableFuture<?> last;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            last = asked;
            if (current != null) {
                current.close();
            }
        }
        last.whenComplete((done, failure) -> lease.close());
    }
}
