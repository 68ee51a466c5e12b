package io.longhaul.gridftp.remote;

import io.longhaul.gridftp.call.Answer;
import io.longhaul.gridftp.call.Call;
import io.longhaul.gridftp.call.Callee;
import io.longhaul.gridftp.content.ContentStore;
import io.longhaul.gridftp.post.Post;
import io.longhaul.gridftp.post.PostOffice;
import io.longhaul.gridftp.spi.Backends;
import io.longhaul.gridftp.transfer.BackTransfers;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves a back end to the fronts that ask for it through a post. Thread-safe. */
public final class EndpointServer implements AutoCloseable {
    /**
     * What is kept where.
     *
     * @param directory for files on their way; this process's own
     * @param limits of what is kept there
     */
    public record Settings(Path directory, ContentStore.Limits limits) {}

    private static final Logger LOG = LoggerFactory.getLogger(EndpointServer.class);
    private static final int DRAIN_SECONDS = 5;

    private final EndpointThreads threads;
    private final EndpointCalls calls;
    private final BackTransfers transfers;

    private EndpointServer(EndpointThreads threads, EndpointCalls calls, BackTransfers transfers) {
        this.threads = threads;
        this.calls = calls;
        this.transfers = transfers;
    }

    /**
     * Begins to serve, and goes on with what an earlier process left in the directory as soon as fronts ask for it.
     *
     * @param post stays the caller's to close after this
     * @param backends the files of each user; closed by whoever made them, after this
     * @param settings which directory
     * @throws io.longhaul.storage.StorageException when the directory cannot be used
     */
    public static EndpointServer open(Post post, Backends backends, Settings settings, TransferEnd.Listener listener) {
        EndpointThreads threads = EndpointThreads.start();
        try {
            CountedPost counted = new CountedPost(post);
            PostOffice office = new PostOffice(counted);
            BackTransfers transfers = BackTransfers.open(office, backends, settings.directory(), settings.limits());
            EndpointCalls calls = new EndpointCalls(
                    backends,
                    (from, call, age, progress) -> transfers
                            .serve(from, call, age, progress)
                            .whenComplete((answer, failure) -> tell(listener, counted, from, call, answer, failure)),
                    transfers::changing,
                    threads.clock(),
                    System::nanoTime);
            new Callee(office, calls, threads.sender(), System::nanoTime);
            office.open();
            return new EndpointServer(threads, calls, transfers);
        } catch (RuntimeException e) {
            threads.close();
            throw e;
        }
    }

    private static void tell(
            TransferEnd.Listener listener,
            CountedPost post,
            String from,
            Call call,
            @Nullable Answer answer,
            @Nullable Throwable failure) {
        if (!(call instanceof Call.Deliver deliver) || deliver.end() != Call.Deliver.End.COMMIT) {
            return;
        }
        Optional<String> reason = answer instanceof Answer.Failed failed
                ? Optional.of(failed.code() + ": " + failed.message())
                : Optional.ofNullable(failure).map(TransferEnd::reason);
        long bytes = answer instanceof Answer.Found found ? found.entry().length() : 0;
        listener.accept(new TransferEnd(
                TransferEnd.Kind.DELIVERY, from, deliver.request().path(), bytes, reason, post.traffic()));
    }

    /** Takes no more commands, and waits some seconds at most until those under way are done and answered. */
    public void shutdown() {
        try {
            calls.drain().get(DRAIN_SECONDS, TimeUnit.SECONDS);
            threads.sender().shutdown();
            threads.sender().awaitTermination(DRAIN_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("commands are still under way at the end; fronts will ask the successor again", e);
        }
    }

    @Override
    public void close() {
        transfers.close();
        threads.close();
    }
}
