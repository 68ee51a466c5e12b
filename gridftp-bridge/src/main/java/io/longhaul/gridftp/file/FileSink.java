package io.longhaul.gridftp.file;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import io.longhaul.storage.DirectWrites;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Writes into a part of a file, on the disk's threads. */
final class FileSink implements Sink {
    /**
     * What comes in such blocks comes from a content, at the pace of the network. A client at this end sends less at a time, as fast as the
     * disk can be, and then waiting for that costs more than a copy to the page cache.
     */
    private static final int DIRECT_BYTES = 1024 * 1024;

    private final FilePath path;
    private final Optional<Entry> old;
    private final Part part;
    private final FileChannel channel;
    private final DirectWrites direct;
    private final Placing placing;
    private final Suspended suspended;
    private final DiskThreads threads;

    private long written; // guarded by this
    private int writing; // guarded by this
    private @Nullable Throwable failure; // of the first write or force that failed; guarded by this
    private boolean ended; // guarded by this
    private Runnable whenQuiet = () -> {}; // guarded by this

    /**
     * Takes over a part and its channel.
     *
     * @param old the file that was there when the write began, if its sender goes on with one
     */
    FileSink(
            FilePath path,
            Optional<Entry> old,
            Part part,
            FileChannel channel,
            Placing placing,
            Suspended suspended,
            DiskThreads threads) {
        this.path = path;
        this.old = old;
        this.part = part;
        this.channel = channel;
        this.direct = DirectWrites.to(part.place());
        this.placing = placing;
        this.suspended = suspended;
        this.threads = threads;
    }

    @Override
    public CompletableFuture<Void> write(long position, ByteBuf bytes) {
        if (!begin()) {
            bytes.release();
            return CompletableFuture.failedFuture(new IllegalStateException(path + ": written after its end"));
        }
        CompletableFuture<Void> written = run(threads.all(), () -> {
            try {
                int length = bytes.readableBytes();
                long at = position + writeDirect(position, bytes);
                while (bytes.isReadable()) {
                    at += bytes.readBytes(channel, at, bytes.readableBytes());
                }
                part.add(position, position + length);
                count(length);
            } finally {
                bytes.release();
            }
            return null;
        });
        return written.whenComplete((done, why) -> {
            if (why instanceof RejectedExecutionException) {
                bytes.release();
            }
            written(why);
        });
    }

    /** Writes past the page cache what can be; nobody reads it soon. Returns how many bytes these were. */
    private int writeDirect(long position, ByteBuf bytes) {
        if (bytes.readableBytes() < DIRECT_BYTES || bytes.nioBufferCount() != 1) {
            return 0;
        }
        ByteBuffer view = bytes.nioBuffer();
        direct.write(view, position);
        int done = bytes.readableBytes() - view.remaining();
        bytes.skipBytes(done);
        return done;
    }

    private synchronized boolean begin() {
        if (!ended) {
            writing++;
        }
        return !ended;
    }

    private synchronized void count(int length) {
        written += length;
    }

    private synchronized long count() {
        return written;
    }

    private void written(@Nullable Throwable why) {
        Runnable next = () -> {};
        synchronized (this) {
            writing--;
            failure = failure == null ? why : failure;
            if (ended && writing == 0) {
                next = whenQuiet;
            }
        }
        next.run();
    }

    @Override
    public Optional<Entry> old() {
        return old;
    }

    @Override
    public Optional<String> temporary() {
        return Workplace.left(part.place());
    }

    /** One that fails has lost bytes, of which the next would not tell. */
    @Override
    public CompletableFuture<Void> force() {
        if (!begin()) {
            return CompletableFuture.failedFuture(new IllegalStateException(path + ": forced after its end"));
        }
        CompletableFuture<Void> forced = run(threads.all(), () -> {
            channel.force(false);
            return null;
        });
        return forced.whenComplete((done, why) -> written(why));
    }

    @Override
    public CompletableFuture<Entry> commit(LongConsumer progress) {
        return end(threads.most(), () -> {
            boolean placed = false;
            try (channel;
                    direct) {
                checkWritten();
                Entry entry = placing.place(path, part, channel, () -> progress.accept(count()));
                placed = true;
                return entry;
            } finally {
                if (!placed) {
                    placing.givenUp(part.target(), suspended);
                }
                // nothing is there any more when it was placed
                part.remove();
            }
        });
    }

    /** Whoever commits may not have heard yet that bytes before that could not be written. */
    private synchronized void checkWritten() {
        if (failure != null) {
            throw new CompletionException(failure);
        }
    }

    @Override
    public CompletableFuture<Void> suspend() {
        if (placing.kind() != Kind.REPLACE && placing.kind() != Kind.RESUME) {
            // what such a part would need of the file may be another's by then
            return abort();
        }
        return end(threads.all(), () -> {
            placing.givenUp(part.target(), suspended);
            try (channel;
                    direct) {
                channel.force(false);
            }
            suspended.keep(part);
            return null;
        });
    }

    @Override
    public CompletableFuture<Void> abort() {
        return end(threads.all(), () -> {
            placing.givenUp(part.target(), suspended);
            try (channel;
                    direct) {
                part.remove();
            }
            return null;
        });
    }

    /** Who gives up is not kept waiting by those who commit: whoever resumes must find what was given up. */
    private <T> CompletableFuture<T> end(Executor executor, Callable<T> last) {
        CompletableFuture<T> done = new CompletableFuture<>();
        Runnable start = () -> run(executor, last).whenComplete((result, failure) -> {
            if (failure == null) {
                done.complete(result);
            } else {
                done.completeExceptionally(failure);
            }
        });
        synchronized (this) {
            if (ended) {
                return CompletableFuture.failedFuture(new IllegalStateException(path + ": ended twice"));
            }
            ended = true;
            if (writing > 0) {
                whenQuiet = start;
                return done;
            }
        }
        start.run();
        return done;
    }

    private <T> CompletableFuture<T> run(Executor executor, Callable<T> call) {
        CompletableFuture<T> done = new CompletableFuture<>();
        try {
            executor.execute(() -> {
                try {
                    done.complete(call.call());
                } catch (IOException e) {
                    done.completeExceptionally(Failures.of(path, e));
                } catch (Throwable e) {
                    // whoever waits must hear of errors too
                    done.completeExceptionally(BackendException.cause(e));
                }
            });
        } catch (RejectedExecutionException e) {
            done.completeExceptionally(e);
        }
        return done;
    }
}
