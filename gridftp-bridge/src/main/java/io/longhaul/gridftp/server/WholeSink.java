package io.longhaul.gridftp.server;

import io.longhaul.gridftp.client.SessionPool;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.netty.buffer.ByteBuf;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.function.LongConsumer;

/** Writes a whole file under a temporary name, and gives it its own when it is all there. */
final class WholeSink implements Sink {
    private final Server server;
    private final SessionPool.Lease lease;
    private final WriteRequest request;
    private final Optional<Entry> old;
    private final TemporaryFile file;
    private final AtomicBoolean ended = new AtomicBoolean();

    /**
     * Takes over a lease and a file.
     *
     * @param old the file that is to be replaced
     */
    WholeSink(Server server, SessionPool.Lease lease, WriteRequest request, Optional<Entry> old, TemporaryFile file) {
        this.server = server;
        this.lease = lease;
        this.request = request;
        this.old = old;
        this.file = file;
    }

    private FilePath path() {
        return request.path();
    }

    @Override
    public CompletableFuture<Void> write(long position, ByteBuf bytes) {
        if (ended.get()) {
            bytes.release();
            return CompletableFuture.failedFuture(new IllegalStateException(path() + ": written after its end"));
        }
        return file.write(position, bytes);
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
        return Optional.of(file.place()).filter(place -> !file.isDirect());
    }

    /** What the server has is all that one can know: no command of FTP's makes it durable. */
    @Override
    public CompletableFuture<Void> force() {
        return file.mark();
    }

    @Override
    public long reached(long takenBytes) {
        return Math.min(takenBytes, file.reached());
    }

    @Override
    public CompletableFuture<Entry> commit(LongConsumer progress) {
        return end(() -> {
            Lock lock = server.locks().of(path());
            try {
                long length = file.finish(progress);
                LongConsumer checked = bytes -> progress.accept(file.reached());
                request.checksum().ifPresent(checksum -> file.demand(length, checksum, checked));
                lock.lock();
                try {
                    return file.place(length, old);
                } finally {
                    lock.unlock();
                }
            } catch (BackendException e) {
                doubt();
                if (e.code() == BackendException.Code.UNAVAILABLE && !file.isTalking() && !file.isDirect()) {
                    server.keep(path(), file.leave());
                } else {
                    file.discard();
                }
                throw e;
            }
        });
    }

    /** Whoever resumes by a position must not find the old file's bytes instead of those that had come. */
    private void doubt() {
        old.map(Remains.Version::of)
                .ifPresent(version -> server.remains().doubts().add(path(), version, 0));
    }

    @Override
    public CompletableFuture<Void> suspend() {
        if (file.isDirect()) {
            return abort();
        }
        return end(() -> {
            doubt();
            server.keep(path(), file.leave());
            return null;
        });
    }

    @Override
    public CompletableFuture<Void> abort() {
        return end(() -> {
            doubt();
            file.discard();
            return null;
        });
    }

    private <T> CompletableFuture<T> end(Callable<? extends T> last) {
        if (ended.getAndSet(true)) {
            return CompletableFuture.failedFuture(new IllegalStateException(path() + ": ended twice"));
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
