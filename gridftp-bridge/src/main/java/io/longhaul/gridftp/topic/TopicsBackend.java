package io.longhaul.gridftp.topic;

import io.longhaul.agent.Agent;
import io.longhaul.gridftp.file.DirectoryBackend;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Quorum;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.Source;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * A directory of topics: {@code /TOPIC/name/of/file} that is stored is published under its name, and stored when enough of
 * the topic's subscriptions have it. What was published cannot be changed or taken back; storing it again publishes it
 * again.
 *
 * <p>Its directory keeps what is published until the network has it, so that a front that was killed goes on. Listings show
 * what came through this front lately, and topics that somebody subscribes to when they are asked for by name.
 */
public final class TopicsBackend implements Backend {
    private static final int DISK_THREADS = 4;
    private static final int IDLE_SECONDS = 10;
    private static final int STOP_SECONDS = 2;
    private static final String FIXED =
            "a published file cannot be changed or taken back; store it again to publish it again";

    private final Agent agent;
    private final DirectoryBackend store;
    private final Catalogue catalogue;
    private final Deliveries deliveries;
    private final Intake intake;
    private final Quorum quorum;
    private final Questions questions;
    private final Runnable stop;

    private TopicsBackend(Parts parts, TopicsConfig config, World world, Runnable stop) {
        this.agent = parts.agent;
        this.store = parts.store;
        this.catalogue = parts.catalogue;
        this.deliveries = parts.deliveries;
        this.intake = new Intake(store, parts.records, parts.shelf, catalogue, deliveries, config.patience(), world);
        this.quorum = config.quorum();
        this.questions = new Questions(world);
        this.stop = stop;
    }

    /** What it is put together from. */
    private record Parts(
            Agent agent,
            DirectoryBackend store,
            Records records,
            Shelf shelf,
            Catalogue catalogue,
            Deliveries deliveries) {}

    /**
     * Opens the directory, made when missing, and goes on with what an earlier process left there.
     *
     * @param directory of this back end alone; its file system must have room for what is published at a time
     * @param agent that publishes; closed with the back end, and at once when the opening fails
     * @throws BackendException when the directory cannot be used
     */
    public static TopicsBackend open(Path directory, Agent agent, TopicsConfig config) {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, threads("gridftp-topic-timer-"));
        ThreadPoolExecutor workers = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                threads("gridftp-topic-"));
        World world = new World(Clock.systemUTC(), System::nanoTime, workers, (after, action) -> {
            try {
                timer.schedule(action, after.toNanos(), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException e) {
                // it closes: what is due is done at the next start
            }
        });
        Runnable stop = () -> {
            timer.shutdownNow();
            workers.shutdown();
            try {
                // records of what clients were told
                if (!workers.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                    workers.shutdownNow();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        try {
            return open(directory, agent, config, world, stop);
        } catch (RuntimeException e) {
            agent.close();
            stop.run();
            throw e;
        }
    }

    private static ThreadFactory threads(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Opens it in a world of the test's own. */
    static TopicsBackend open(Path directory, Agent agent, TopicsConfig config, World world, Runnable stop) {
        Path bytes = directory.resolve("store");
        Path known = directory.resolve("records");
        try {
            Files.createDirectories(bytes);
            Files.createDirectories(known);
        } catch (IOException e) {
            throw new BackendException(Code.FAILED, directory + ": cannot be made: " + e.getMessage(), e);
        }
        DirectoryBackend store = DirectoryBackend.open(bytes, DISK_THREADS, world.nanoTime(), new SecureRandom());
        try {
            Records records = new Records(known);
            records.removeUnwritten();
            Catalogue catalogue = new Catalogue(world.clock().instant());
            List<PublishedFile> files = records.all();
            Shelf shelf = new Shelf(bytes, store, records, catalogue, config, world);
            shelf.open(files);
            files.forEach(catalogue::put);
            // not all have it, and unless somebody was told that it is stored nobody is to take it for that
            files.stream()
                    .filter(file -> file.state() == PublishedFile.State.OVER)
                    .forEach(catalogue::hide);
            Deliveries deliveries = new Deliveries(agent, records, shelf, world, config.waitingFiles());
            deliveries.resume(files);
            return new TopicsBackend(
                    new Parts(agent, store, records, shelf, catalogue, deliveries), config, world, stop);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private <T> CompletableFuture<T> now(Supplier<T> answer) {
        try {
            return CompletableFuture.completedFuture(answer.get());
        } catch (BackendException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static <T> CompletableFuture<T> failed(Code code, FilePath path, String words) {
        return CompletableFuture.failedFuture(new BackendException(code, path + ": " + words));
    }

    private static <T> CompletableFuture<T> missing(FilePath path) {
        return failed(Code.NOT_FOUND, path, "No such file or directory");
    }

    private static <T> CompletableFuture<T> nothing(FilePath path) {
        return path.names().size() == 1
                ? failed(Code.NOT_FOUND, path, "nobody subscribes to topic " + TopicPath.topic(path))
                : missing(path);
    }

    /** Returns whether a path that nothing was published to is a topic's. */
    private CompletableFuture<Boolean> isSubscribed(FilePath path) {
        if (path.names().size() != 1 || !TopicPath.isTopic(TopicPath.topic(path))) {
            return CompletableFuture.completedFuture(false);
        }
        String topic = TopicPath.topic(path);
        return questions
                .ask(path, () -> !agent.subscriptions(topic).isEmpty())
                .thenApply(answer -> answer.orElseThrow(() -> new BackendException(
                        Code.UNAVAILABLE,
                        path
                                + ": Connection timed out: the broker is not reachable now, which knows who subscribes to topic "
                                + topic)));
    }

    @Override
    public CompletableFuture<Entry> stat(FilePath path) {
        Optional<Entry> known = path.isRoot() ? Optional.of(catalogue.directory(path)) : catalogue.stat(path);
        return known.map(CompletableFuture::completedFuture)
                .orElseGet(() -> isSubscribed(path)
                        .thenCompose(there ->
                                there ? CompletableFuture.completedFuture(catalogue.directory(path)) : nothing(path)));
    }

    @Override
    public CompletableFuture<List<Entry>> list(FilePath path) {
        return now(() -> catalogue.list(path))
                .thenCompose(known -> known.map(CompletableFuture::completedFuture)
                        .orElseGet(() -> isSubscribed(path)
                                .thenCompose(there ->
                                        there ? CompletableFuture.completedFuture(List.of()) : nothing(path))));
    }

    @Override
    public CompletableFuture<Void> makeDirectory(FilePath path) {
        return now(() -> {
                    if (path.isRoot()) {
                        throw new BackendException(Code.EXISTS, path + ": File exists");
                    }
                    catalogue.makeDirectory(TopicPath.checkDirectory(path));
                    return path;
                })
                .thenAccept(made -> {});
    }

    @Override
    public CompletableFuture<Void> removeDirectory(FilePath path) {
        if (path.isRoot()) {
            return failed(Code.DENIED, path, "Permission denied");
        }
        return now(() -> {
                    catalogue.removeDirectory(path);
                    return path;
                })
                .thenAccept(removed -> {});
    }

    @Override
    public CompletableFuture<Void> deleteFile(FilePath path) {
        return fixed(path);
    }

    @Override
    public CompletableFuture<Void> rename(FilePath from, FilePath to) {
        return fixed(from);
    }

    @Override
    public CompletableFuture<Void> setModified(FilePath path, Instant time) {
        return fixed(path);
    }

    private CompletableFuture<Void> fixed(FilePath path) {
        Optional<Entry> there = catalogue.stat(path);
        if (there.isEmpty()) {
            return missing(path);
        }
        return there.get().isDirectory()
                ? failed(Code.IS_A_DIRECTORY, path, "Is a directory")
                : failed(Code.DENIED, path, FIXED);
    }

    @Override
    public CompletableFuture<String> checksum(
            FilePath path, ChecksumAlgorithm algorithm, ByteRange range, LongConsumer progress) {
        return kept(path, stored -> store.checksum(stored, algorithm, range, progress));
    }

    @Override
    public CompletableFuture<Source> read(FilePath path, List<ByteRange> ranges) {
        return kept(path, stored -> store.read(stored, ranges));
    }

    /** The bytes of what everybody has are kept for a while only. */
    private <T> CompletableFuture<T> kept(FilePath path, Function<FilePath, CompletableFuture<T>> use) {
        Optional<PublishedFile> file = catalogue.shown(path);
        if (file.isEmpty()) {
            return catalogue.stat(path).isPresent() || path.isRoot()
                    ? failed(Code.IS_A_DIRECTORY, path, "Is a directory")
                    : missing(path);
        }
        FilePath stored = Shelf.stored(file.get());
        return Refusals.words(stored, path).told(use.apply(stored));
    }

    @Override
    public CompletableFuture<Sink> write(WriteRequest request) {
        FilePath path = request.path();
        if (request.kind() == Kind.OVERLAY || request.kind() == Kind.APPEND) {
            return failed(Code.UNSUPPORTED, path, "a file is published as a whole: expected STOR of all of it");
        }
        Quorum wanted = request.quorum().orElse(quorum);
        FilePath slot = Intake.slot(path);
        return now(() -> {
                    catalogue.checkFree(TopicPath.checkFile(path));
                    deliveries.checkRoom(path);
                    return path;
                })
                .thenCompose(free -> questions.ask(path, () -> deliveries.subscriptions(path, Optional.of(wanted))))
                // refused early what could not be published; during an outage nobody knows, and what comes waits for
                // its end
                .thenCompose(known -> Refusals.words(slot, path).told(store.write(request.withPath(slot))))
                .thenApply(staging -> new TopicSink(staging, intake, path, wanted));
    }

    /** Stops; what is not published everywhere goes on at the next start. */
    @Override
    public void close() {
        agent.close();
        store.close();
        stop.run();
    }
}
