package io.longhaul.gridftp.remote;

import io.longhaul.gridftp.call.Caller;
import io.longhaul.gridftp.content.ContentStore;
import io.longhaul.gridftp.post.Post;
import io.longhaul.gridftp.post.PostOffice;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.Principal;
import io.longhaul.gridftp.transfer.FrontTransfers;
import java.nio.file.Path;
import java.security.SecureRandom;

/** The files behind all endpoints, for the users of one front. Thread-safe. */
public final class RemoteFiles implements AutoCloseable {
    private final EndpointThreads threads;
    private final Caller caller;
    private final FrontTransfers transfers;
    private final CountedPost post;
    private final TransferEnd.Listener listener;

    /**
     * What is kept where, and when a file counts as sent.
     *
     * @param directory for files on their way; this process's own
     * @param limits of what is kept there
     * @param reply when a client is told that its file is there
     */
    public record Settings(Path directory, ContentStore.Limits limits, FrontTransfers.Reply reply) {}

    private RemoteFiles(
            EndpointThreads threads,
            Caller caller,
            FrontTransfers transfers,
            CountedPost post,
            TransferEnd.Listener listener) {
        this.threads = threads;
        this.caller = caller;
        this.transfers = transfers;
        this.post = post;
        this.listener = listener;
    }

    /**
     * Begins to use a post, and goes on with what an earlier process left in the directory.
     *
     * @param post stays the caller's to close after this
     * @throws io.longhaul.storage.StorageException when the directory cannot be used
     */
    public static RemoteFiles open(Post post, Settings settings, TransferEnd.Listener listener) {
        EndpointThreads threads = EndpointThreads.start();
        try {
            CountedPost counted = new CountedPost(post);
            PostOffice office = new PostOffice(counted);
            Caller.World world = new Caller.World(
                    threads.clock(), threads.sender(), threads.reader(), System::nanoTime, new SecureRandom());
            Caller caller = new Caller(office, world, Caller.PATIENCE);
            FrontTransfers transfers =
                    FrontTransfers.open(office, caller, settings.directory(), settings.limits(), settings.reply());
            office.open();
            return new RemoteFiles(threads, caller, transfers, counted, listener);
        } catch (RuntimeException e) {
            threads.close();
            throw e;
        }
    }

    /** Returns what crossed the network so far. */
    public Traffic traffic() {
        return post.traffic();
    }

    /** Returns the files behind an endpoint as a user sees them there; closing it ends nothing. */
    public Backend of(String endpoint, Principal user) {
        return new RemoteBackend(
                caller,
                transfers,
                (kind, path, bytes, failure) ->
                        listener.accept(new TransferEnd(kind, endpoint, path, bytes, failure, traffic())),
                endpoint,
                user);
    }

    @Override
    public void close() {
        transfers.close();
        threads.close();
    }
}
