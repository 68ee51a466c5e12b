package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.call.Answer;
import io.longhaul.gridftp.call.Call;
import io.longhaul.gridftp.content.ContentStore;
import io.longhaul.gridftp.content.Holder;
import io.longhaul.gridftp.content.Mirrors;
import io.longhaul.gridftp.post.PostOffice;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Backends;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.storage.Disk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/** Files between fronts and the back end behind a back. Owns its threads; thread-safe. */
public final class BackTransfers implements AutoCloseable {
    private static final int SECRET_BYTES = 32;

    private final TransferThreads threads;
    private final Deliveries deliveries;
    private final Fetches fetches;
    private final Changes changes;

    private BackTransfers(TransferThreads threads, Deliveries deliveries, Fetches fetches, Changes changes) {
        this.threads = threads;
        this.deliveries = deliveries;
        this.fetches = fetches;
        this.changes = changes;
    }

    /**
     * Takes up what an earlier process left in the directory; goes on with it as soon as the fronts ask for it.
     *
     * @param office not open yet
     * @param backends the files of each user, the caller's to close after this
     * @param directory for contents; this process's own
     * @throws io.longhaul.storage.StorageException when the directory cannot be used
     */
    public static BackTransfers open(PostOffice office, Backends backends, Path directory, ContentStore.Limits limits) {
        TransferThreads threads = TransferThreads.start();
        try {
            World world = threads.world(directory, limits);
            Holder holder = new Holder(office, threads.sender(), world.nanoTime());
            Mirrors mirrors =
                    new Mirrors(office, threads.puller(), world.disk(), world.nanoTime(), Mirrors.Windows.DEFAULT);
            Changes changes = Changes.open(world, Disk.real());
            Deliveries deliveries = new Deliveries(world, backends, mirrors, changes);
            deliveries.recover();
            Fetches fetches = new Fetches(world, backends, holder, secret(world), changes);
            fetches.recover();
            return new BackTransfers(threads, deliveries, fetches, changes);
        } catch (RuntimeException e) {
            threads.close();
            throw e;
        }
    }

    private static byte[] secret(World world) {
        byte[] fresh = new byte[SECRET_BYTES];
        world.random().nextBytes(fresh);
        return world.store().secret(fresh);
    }

    /**
     * Does what a front asks for.
     *
     * @param call one of those with contents: {@link Call.Deliver}, {@link Call.Fetch}
     * @param age how long the front has been asking for it
     * @param progress told how many bytes have reached their place
     */
    public CompletableFuture<Answer> serve(String from, Call call, Duration age, LongConsumer progress) {
        if (call instanceof Call.Deliver deliver) {
            return deliveries.deliver(from, deliver, progress);
        }
        if (call instanceof Call.Fetch fetch) {
            return fetches.fetch(from, fetch, age);
        }
        return CompletableFuture.failedFuture(new BackendException(
                Code.UNSUPPORTED,
                "call: expected deliver or fetch, found " + call.type().wireName()));
    }

    /**
     * Makes what is kept of files, and of what is below them, count no more once they may have been changed.
     *
     * @param done by which they are
     * @return the same, later
     */
    public <T> CompletableFuture<T> changing(List<FilePath> paths, CompletableFuture<T> done) {
        return changes.after(paths, done);
    }

    /** Ends everything as if the process had been killed; the next one goes on. */
    @Override
    public void close() {
        threads.close();
        changes.close();
    }
}
