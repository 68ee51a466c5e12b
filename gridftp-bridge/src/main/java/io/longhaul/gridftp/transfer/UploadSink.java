package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import io.longhaul.gridftp.thread.AtMost;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes a client's bytes into a content, which the back pulls meanwhile. Bytes that the content has already, from an earlier
 * try, are compared; at the first difference it goes on with another content.
 *
 * <p>Everything happens on the threads of the disk, one thing at a time in the order of the calls.
 */
final class UploadSink implements Sink {
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private final World world;
    private final Uploads uploads;
    private final AtMost serial;
    private final ByteRanges confirmed; // in the serial order: what this client has sent or takes for granted
    private volatile boolean hasLeft;
    private volatile Upload upload; // changed in the serial order
    private volatile Optional<WriteRequest> following = Optional.empty(); // changed in the serial order
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private boolean ended; // guarded by this
    private boolean hasYielded; // guarded by this
    private int writing; // guarded by this
    private @Nullable Throwable unwritten; // why the first write failed that did; guarded by this
    private long heardNs; // when the last write was done; guarded by this

    UploadSink(World world, Uploads uploads, Upload upload, ByteRanges granted) {
        this.world = world;
        this.uploads = uploads;
        this.upload = upload;
        this.confirmed = granted;
        this.serial = new AtMost(1, world.disk());
        this.heardNs = world.nanoTime().getAsLong();
    }

    /** Returns a sink that waits for another client's upload as long as it is given the same bytes. */
    static UploadSink following(World world, Uploads uploads, Upload other, WriteRequest request) {
        UploadSink sink = new UploadSink(world, uploads, other, new ByteRanges());
        other.content().pin();
        sink.following = Optional.of(request);
        return sink;
    }

    /** Returns whether its upload is another client's. */
    boolean isFollowing() {
        return following.isPresent();
    }

    private void goApart() {
        if (following.isPresent()) {
            Upload other = upload;
            upload = uploads.apart(other, confirmed, following.get());
            following = Optional.empty();
            other.content().unpin();
        }
    }

    @Override
    public CompletableFuture<Void> write(long position, ByteBuf bytes) {
        synchronized (this) {
            if (ended) {
                bytes.release();
                return CompletableFuture.failedFuture(
                        hasYielded ? yielded() : new IllegalStateException(path() + ": written after its end"));
            }
            writing++;
        }
        CompletableFuture<Void> written = world.onDisk(serial, () -> {
            checkOwned();
            upload.check();
            long at = position;
            for (ByteBuffer part : bytes.nioBuffers()) {
                put(at, part);
                at += part.remaining();
            }
            return null;
        });
        return written.whenComplete((done, failure) -> {
            bytes.release();
            written(failure);
        });
    }

    private synchronized void written(@Nullable Throwable failure) {
        writing--;
        unwritten = unwritten == null ? failure : unwritten;
        heardNs = world.nanoTime().getAsLong();
    }

    /** Done when it has ended, and is noted as what it is. */
    CompletableFuture<Void> ended() {
        return over;
    }

    @Override
    public void left() {
        hasLeft = true;
    }

    /**
     * Another client has come for the same. Done when this one has ended and is noted as what it is, for which a client that has left
     * is waited for a while; else at once.
     */
    CompletableFuture<Void> madeWay() {
        if (yields()) {
            return over;
        }
        if (!hasLeft) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> way = over.copy();
        world.after(SILENCE, () -> {
            if (!yields()) {
                way.complete(null);
            }
        });
        return way;
    }

    /** Returns whether it has ended or ends now, since its client has sent nothing for a while and another one has come. */
    private boolean yields() {
        synchronized (this) {
            if (ended) {
                return true;
            }
            if (writing > 0 || world.nanoTime().getAsLong() - heardNs < SILENCE.toNanos()) {
                return false;
            }
            hasYielded = true;
        }
        giveUp(true);
        return true;
    }

    /** Once it has yielded, content and note are its successor's. In the serial order. */
    private void checkOwned() {
        if (hasYielded()) {
            throw yielded();
        }
    }

    private BackendException yielded() {
        return new BackendException(
                BackendException.Code.UNAVAILABLE,
                path() + ": nothing came for " + SILENCE.toSeconds() + " s: another session sends the file");
    }

    Upload upload() {
        return upload;
    }

    private FilePath path() {
        return upload.note().deliver().request().path();
    }

    private void put(long position, ByteBuffer bytes) {
        ByteRange range = new ByteRange(position, position + bytes.remaining());
        if (isFollowing()
                && !(upload.content().contains(range) && upload.content().writeOrCompare(position, bytes))) {
            goApart();
        }
        if (!upload.content().writeOrCompare(position, bytes)) {
            if (upload.note().deliver().request().kind() == Kind.RESTART) {
                // another content would begin with whatever file is there by now
                throw new BackendException(
                        BackendException.Code.FAILED,
                        path() + ": the bytes " + range + " came twice, and not the same");
            }
            ByteRanges same = ByteRanges.of(confirmed.list());
            same.remove(range.start(), range.end());
            upload = uploads.instead(upload, same);
            upload.content().write(position, bytes);
        }
        confirmed.add(range.start(), range.end());
    }

    @Override
    public CompletableFuture<Void> force() {
        return world.onDisk(serial, () -> {
            checkOwned();
            if (!isFollowing() && upload.note().trusted().isPresent()) {
                upload.note(upload.note().trusting(Optional.of(ByteRanges.of(confirmed.list()))));
            }
            upload.content().force();
            return null;
        });
    }

    @Override
    public long reached(long takenBytes) {
        return Math.min(takenBytes, upload.reached());
    }

    @Override
    public CompletableFuture<Entry> commit(LongConsumer progress) {
        if (hasYielded()) {
            return CompletableFuture.failedFuture(yielded());
        }
        return end(() -> {
            try {
                return committed(progress);
            } catch (RuntimeException e) {
                letGo(e);
                throw e;
            }
        });
    }

    /** Whoever commits may not have heard yet that bytes before that could not be written. */
    private synchronized void checkWritten() {
        if (unwritten != null) {
            throw World.failure(unwritten);
        }
    }

    private CompletableFuture<Entry> committed(LongConsumer progress) {
        checkWritten();
        upload.check();
        if (isFollowing() && confirmed.total() == upload.content().coveredBytes()) {
            Optional<CompletableFuture<Entry>> joined = uploads.join(upload);
            if (joined.isPresent()) {
                upload.onProgress(progress);
                upload.content().unpin();
                return joined.get();
            }
        }
        goApart();
        upload.content().sealAt(upload.isWholeFile() ? confirmed.end() : Long.MAX_VALUE);
        upload.onProgress(progress);
        return uploads.committed(upload);
    }

    /** Nobody ends a sink again after a commit that failed. */
    private void letGo(RuntimeException failure) {
        try {
            if (isFollowing()) {
                upload.content().unpin();
            } else {
                uploads.givenUp(upload, ByteRanges.of(confirmed.list()));
            }
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public CompletableFuture<Void> suspend() {
        return hasYielded() ? CompletableFuture.completedFuture(null) : giveUp(true);
    }

    @Override
    public CompletableFuture<Void> abort() {
        return hasYielded() ? CompletableFuture.completedFuture(null) : giveUp(false);
    }

    private synchronized boolean hasYielded() {
        return hasYielded;
    }

    private CompletableFuture<Void> giveUp(boolean mayResume) {
        return end(() -> {
            if (isFollowing()) {
                // the other client's goes on
                upload.content().unpin();
                return CompletableFuture.completedFuture(null);
            }
            uploads.givenUp(upload, mayResume ? ByteRanges.of(confirmed.list()) : new ByteRanges());
            // an endpoint that is away need not be waited for: it hears of the end later
            CompletableFuture<Void> done = new CompletableFuture<>();
            upload.aborted().whenComplete((ended, failure) -> done.complete(null));
            world.after(PATIENCE, () -> done.complete(null));
            return done;
        });
    }

    private <T> CompletableFuture<T> end(Callable<CompletableFuture<T>> last) {
        synchronized (this) {
            if (ended) {
                return CompletableFuture.failedFuture(new IllegalStateException(path() + ": ended twice"));
            }
            ended = true;
        }
        CompletableFuture<CompletableFuture<T>> ending = world.onDisk(serial, last);
        ending.whenComplete((done, failure) -> over.complete(null));
        return ending.thenCompose(done -> done);
    }
}
