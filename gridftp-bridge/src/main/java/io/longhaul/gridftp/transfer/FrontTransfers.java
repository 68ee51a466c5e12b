package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.call.Caller;
import io.longhaul.gridftp.content.ContentStore;
import io.longhaul.gridftp.content.Holder;
import io.longhaul.gridftp.content.Mirrors;
import io.longhaul.gridftp.post.PostOffice;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.Source;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Files between the clients of a front and the endpoints of the network. Owns its threads; thread-safe. */
public final class FrontTransfers implements AutoCloseable {
    private final TransferThreads threads;
    private final Uploads uploads;
    private final Downloads downloads;
    private final SpooledFirst spooled;

    private FrontTransfers(TransferThreads threads, Uploads uploads, Downloads downloads, SpooledFirst spooled) {
        this.threads = threads;
        this.uploads = uploads;
        this.downloads = downloads;
        this.spooled = spooled;
    }

    /**
     * When a commit is done.
     */
    public enum Reply {
        /** The server has the file. */
        DELIVERED,
        /** The file is durable here, and will be brought to the server. */
        SPOOLED
    }

    /**
     * Takes up what an earlier process left in the directory, and goes on with it.
     *
     * @param office not open yet
     * @param caller on the same office
     * @param directory for contents; this process's own
     * @throws io.longhaul.storage.StorageException when the directory cannot be used
     */
    public static FrontTransfers open(
            PostOffice office, Caller caller, Path directory, ContentStore.Limits limits, Reply reply) {
        TransferThreads threads = TransferThreads.start();
        try {
            World world = threads.world(directory, limits);
            Holder holder = new Holder(office, threads.sender(), world.nanoTime());
            Mirrors mirrors =
                    new Mirrors(office, threads.puller(), world.disk(), world.nanoTime(), Mirrors.Windows.DEFAULT);
            Uploads uploads = new Uploads(world, caller, holder, reply == Reply.DELIVERED);
            uploads.recover();
            Downloads downloads = new Downloads(world, caller, mirrors);
            downloads.recover();
            return new FrontTransfers(threads, uploads, downloads, new SpooledFirst(world, uploads));
        } catch (RuntimeException e) {
            threads.close();
            throw e;
        }
    }

    /** Begins to write a file behind an endpoint. */
    public CompletableFuture<Sink> write(String endpoint, Principal user, WriteRequest request) {
        // what is replaced, or added to at the end, needs nothing of what is there
        return request.kind() == Kind.REPLACE || request.kind() == Kind.APPEND
                ? uploads.write(endpoint, user, request)
                : usingSpooled(endpoint, request.path(), () -> uploads.write(endpoint, user, request));
    }

    /**
     * Begins to read a file behind an endpoint.
     *
     * @param ranges ascending and disjoint; ends beyond the file's mean its end
     */
    public CompletableFuture<Source> read(String endpoint, Principal user, FilePath path, List<ByteRange> ranges) {
        return usingSpooled(endpoint, path, () -> downloads.read(endpoint, user, path, ranges));
    }

    /** Looks at a path when what was spooled for it is at the server, or after 10 s. */
    public <T> CompletableFuture<T> looking(String endpoint, FilePath path, Supplier<CompletableFuture<T>> look) {
        return spooled.look(endpoint, path, look);
    }

    /** Uses a file when what was spooled for it is at the server; fails after {@link Caller#PATIENCE}. */
    public <T> CompletableFuture<T> usingSpooled(String endpoint, FilePath path, Supplier<CompletableFuture<T>> use) {
        return spooled.use(endpoint, path, use);
    }

    /**
     * Moves or removes paths when what was spooled for them, or below them, is at the server; fails after
     * {@link Caller#PATIENCE}.
     */
    public <T> CompletableFuture<T> changingSpooled(
            String endpoint, List<FilePath> paths, Supplier<CompletableFuture<T>> change) {
        return spooled.change(endpoint, paths, change);
    }

    /** Ends everything as if the process had been killed; the next one goes on. */
    @Override
    public void close() {
        threads.close();
    }
}
