package io.longhaul.gridftp.topic;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.DeliveryTarget;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.storage.Disk;
import io.longhaul.storage.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A directory of a back end as the target of a subscription: what is published appears there, under its name.
 *
 * <p>A server that is down, busy or full is waited for, and so is the end of this machine's trouble, for as long as it
 * takes; each file starts from its first byte then, out of the subscription's directory, and goes from there once it is
 * recorded as delivered. What the server refuses for good is refused, and so is what it has got {@value #MOST_DIFFERENT} times and
 * had otherwise each time. Thread-safe.
 */
public final class ServerTarget implements DeliveryTarget, AutoCloseable {
    private static final int CARRIERS = 4;
    private static final int MOST_DIFFERENT = 8;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final Backend server;
    private final FilePath directory;
    private final Consumer<String> notices;
    private final ExecutorService carriers;
    private final World.Delay delay;
    private final Runnable stop;

    ServerTarget(
            Backend server,
            FilePath directory,
            Consumer<String> notices,
            ExecutorService carriers,
            World.Delay delay,
            Runnable stop) {
        this.server = server;
        this.directory = directory;
        this.notices = notices;
        this.carriers = carriers;
        this.delay = delay;
        this.stop = stop;
    }

    /**
     * Makes one.
     *
     * @param directory of the server that files appear in; made when it is missing
     * @param notices takes lines for a person
     */
    public static ServerTarget of(Backend server, FilePath directory, Consumer<String> notices) {
        AtomicInteger number = new AtomicInteger();
        ExecutorService carriers = Executors.newFixedThreadPool(CARRIERS, task -> {
            Thread thread = new Thread(task, "gridftp-carrier-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "gridftp-carrier-timer");
            thread.setDaemon(true);
            return thread;
        });
        World.Delay delay = (after, action) -> timer.schedule(action, after.toNanos(), TimeUnit.NANOSECONDS);
        return new ServerTarget(server, directory, notices, carriers, delay, () -> {
            timer.shutdownNow();
            carriers.shutdownNow();
        });
    }

    @Override
    public CompletableFuture<Void> deliver(Path path, String name) {
        Load load = new Load(path, name, new CompletableFuture<>(), new AtomicInteger());
        attempt(load, FIRST_PAUSE);
        return load.there;
    }

    /**
     * What is to be carried.
     *
     * @param different how often the server has had something else
     */
    private record Load(Path path, String name, CompletableFuture<Void> there, AtomicInteger different) {}

    /** Removes what the server has: it need not be here as well. */
    @Override
    public void recorded(Path path, String name) {
        try {
            Disk.real().deleteTree(path);
        } catch (StorageException e) {
            notices.accept(name + " stays in " + path + ": " + e.getMessage());
        }
    }

    private void attempt(Load load, Duration pause) {
        try {
            carriers.execute(() -> {
                try {
                    carry(load.path, directory.resolve(load.name));
                    load.there.complete(null);
                } catch (IOException | RuntimeException | Error e) {
                    // an Error too, as of memory: what waits for this future waits for ever otherwise
                    failed(load, pause, e);
                }
            });
        } catch (RejectedExecutionException e) {
            // it closes: the next process carries it on
        }
    }

    private void failed(Load load, Duration pause, Throwable e) {
        Throwable ofWalk = e instanceof UncheckedIOException ? e.getCause() : null;
        Throwable cause = BackendException.cause(ofWalk == null ? e : ofWalk);
        if (isFinal(cause)) {
            load.there.completeExceptionally(
                    new AgentException(AgentException.Code.TRANSFER_FAILED, String.valueOf(cause.getMessage()), cause));
            return;
        }
        boolean isDifferent = cause instanceof BackendException known && known.isDifferent();
        if (isDifferent && load.different.incrementAndGet() == MOST_DIFFERENT) {
            String why = cause.getMessage() + ", " + MOST_DIFFERENT + " times";
            load.there.completeExceptionally(new AgentException(AgentException.Code.TRANSFER_FAILED, why, cause));
            return;
        }
        notices.accept(load.name + waits(cause));
        boolean isRefused = cause instanceof BackendException known && known.code() == Code.NOT_LOGGED_IN;
        Duration longer = pause.multipliedBy(2);
        Duration next = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
        try {
            delay.call(isRefused ? BackendException.LOGIN_PAUSE : pause, () -> attempt(load, next));
        } catch (RejectedExecutionException closed) {
            // as above
        }
    }

    /** Whether the server has said no, or there is nothing left to carry; trouble of this machine may pass. */
    private static boolean isFinal(Throwable cause) {
        return cause instanceof BackendException known
                && known.code() != Code.UNAVAILABLE
                && known.code() != Code.NOT_LOGGED_IN
                && known.code() != Code.NO_SPACE;
    }

    private static String waits(Throwable cause) {
        return cause instanceof BackendException
                ? " waits for the server: " + cause.getMessage()
                : " cannot be carried on yet: " + cause;
    }

    /** Stores a file or a tree; waits for the server. */
    private void carry(Path path, FilePath at) throws IOException {
        if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new BackendException(Code.FAILED, at + ": " + path + " has gone before the server had it");
        }
        try (Stream<Path> all = Files.walk(path)) {
            List<Path> inOrder = all.sorted(Comparator.naturalOrder()).toList();
            for (Path each : inOrder) {
                FilePath there = at.resolve(path.relativize(each).toString());
                BasicFileAttributes attributes =
                        Files.readAttributes(each, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                if (attributes.isDirectory()) {
                    makeDirectories(there);
                } else if (attributes.isRegularFile()) {
                    makeDirectories(there.parent());
                    ServerCopy.store(each, server, there);
                } else {
                    throw new BackendException(
                            Code.UNSUPPORTED, there + ": a server's directory can have files and directories only");
                }
            }
        }
    }

    private void makeDirectories(FilePath path) {
        if (path.isRoot() || isDirectory(path)) {
            return;
        }
        makeDirectories(path.parent());
        server.makeDirectory(path)
                .exceptionallyCompose(failure -> isDirectory(path)
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(failure))
                .join();
    }

    private boolean isDirectory(FilePath path) {
        return server.stat(path)
                .thenApply(entry -> entry.isDirectory())
                .exceptionallyCompose(
                        failure -> BackendException.codeOf(failure).equals(Optional.of(Code.NOT_FOUND))
                                ? CompletableFuture.completedFuture(false)
                                : CompletableFuture.failedFuture(failure))
                .join();
    }

    /** Stops; what has not been taken is carried on by the next process. */
    @Override
    public void close() {
        stop.run();
    }
}
