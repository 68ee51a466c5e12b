package io.longhaul.cli;

import io.longhaul.agent.Agent;
import io.longhaul.agent.AgentException;
import io.longhaul.agent.Progress;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublicationResult;
import io.longhaul.agent.PublishRequest;
import io.longhaul.cli.option.TopicDirectory;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.Shown;
import io.longhaul.cli.watch.WatchJournal;
import io.longhaul.cli.watch.WatchedDirectory;
import io.longhaul.cli.watch.WatchedFile;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Publishes what appears in one directory to one topic, each file once.
 *
 * <p>A file is remembered when the broker has it; what a crash before that left unfinished is taken over with {@link
 * #claim} before the first scan, which would find the file again. A file that failed is tried again after a while; one that
 * is refused before it begins, as for its name, is told of once. {@link #scan} runs on one thread at a time; endings come
 * on others.
 */
final class DirectoryWatch {
    private static final int MOST_AT_ONCE = 16;
    private static final long RETRY_NS = 30_000_000_000L;

    private final TopicDirectory watched;
    private final WatchedDirectory directory;
    private final WatchJournal journal;
    private final Agent agent;
    private final Console console;
    private final Executor executor;
    private final LongSupplier nanoTime;
    private final Map<WatchedFile, Running> running = new ConcurrentHashMap<>();
    private final Map<WatchedFile, Failed> failed = new ConcurrentHashMap<>();
    private final Queue<WatchedFile> waiting = new ArrayDeque<>(); // guarded by this

    /** What was said last about the directory itself; scanning thread only. */
    private String trouble = "";

    /** A publication and the end of what is done after it. */
    private record Running(Publication publication, CompletableFuture<Void> ending) {}

    /** When a file failed last, and what was said of it. */
    private record Failed(long atNs, String line) {}

    DirectoryWatch(
            TopicDirectory watched,
            WatchJournal journal,
            Agent agent,
            Console console,
            Executor executor,
            LongSupplier nanoTime) {
        this.watched = watched;
        this.directory = new WatchedDirectory(watched.directory());
        this.journal = journal;
        this.agent = agent;
        this.console = console;
        this.executor = executor;
        this.nanoTime = nanoTime;
    }

    /**
     * Takes over a publication that a predecessor began of a file in this directory; returns whether it is one. It stands for
     * the file as that was then: one that has changed since is published anew.
     */
    boolean claim(Publication publication) {
        Optional<WatchedFile> file = publication
                .source()
                .filter(source -> publication.topic().equals(watched.topic()))
                .flatMap(source ->
                        directory.once(source.path(), source.inode(), source.length(), source.modifiedNanos()))
                .filter(known -> known.name().equals(publication.progress().name()));
        file.ifPresent(known -> follow(known, publication));
        return file.isPresent();
    }

    /** Looks for stable files that are not published yet, and starts with as many as may run at once. */
    void scan() {
        try {
            journal.flush(); // while what was published cannot be remembered, nothing more is
            start(directory.scan());
            trouble = "";
        } catch (RuntimeException | Error e) { // the next scan comes only if this one ends in order
            String line = Failures.line(e);
            if (!line.equals(trouble)) {
                console.warn("longhaul: " + line);
            }
            trouble = line;
        }
    }

    private void start(List<WatchedFile> stable) {
        failed.keySet().retainAll(Set.copyOf(stable));
        synchronized (this) {
            waiting.clear();
            stable.stream().filter(this::isDue).forEach(waiting::add);
        }
        startWaiting();
    }

    private boolean isDue(WatchedFile file) {
        Failed last = failed.get(file);
        boolean mayBeTried = last == null || nanoTime.getAsLong() - last.atNs() >= RETRY_NS;
        return mayBeTried && !journal.contains(watched.topic(), file) && !isRunning(file.path());
    }

    /** What a file has replaced ends first: remembered later, it would be taken for what is there. */
    private boolean isRunning(Path path) {
        return running.keySet().stream().anyMatch(file -> file.path().equals(path));
    }

    /** Starts with as many as may run at once: at a scan, and whenever one has ended, since scans are rare. */
    private synchronized void startWaiting() {
        while (running.size() < MOST_AT_ONCE && !waiting.isEmpty()) {
            WatchedFile file = waiting.remove();
            if (isDue(file) && directory.isStill(file)) {
                start(file);
            }
        }
    }

    private void start(WatchedFile file) {
        try {
            follow(
                    file,
                    agent.publish(
                            PublishRequest.of(file.path(), watched.topic()).withName(file.name())));
        } catch (RuntimeException e) {
            if (!isClosing(e)) {
                fail(file, "", e);
            }
        }
    }

    private void follow(WatchedFile file, Publication publication) {
        CompletableFuture<Void> ending = new CompletableFuture<>();
        running.put(file, new Running(publication, ending));
        publication
                .result()
                .whenCompleteAsync(
                        (result, failure) -> {
                            ended(file, publication, result, failure);
                            ending.complete(null);
                        },
                        executor);
    }

    private void ended(
            WatchedFile file,
            Publication publication,
            @Nullable PublicationResult result,
            @Nullable Throwable failure) {
        try {
            if (result != null) {
                remember(file);
                Lines.published(console, result, watched.topic());
            } else if (failure != null) {
                awaitScan();
                if (!isClosing(failure)) {
                    fail(file, publication.transfer(), failure);
                }
            }
        } catch (RuntimeException e) {
            fail(file, publication.transfer(), e);
        } finally {
            running.remove(file);
            startWaiting();
        }
    }

    /** Begins with nothing more before the next scan: what one met, the others may meet as well. */
    private synchronized void awaitScan() {
        waiting.clear();
    }

    private void remember(WatchedFile file) {
        try {
            journal.add(watched.topic(), file);
        } catch (RuntimeException e) {
            awaitScan();
            console.warn("longhaul: " + Shown.quoted(file.name())
                    + " is published, which could not be written down yet: " + Failures.line(e));
        }
    }

    static boolean isClosing(Throwable failure) {
        return failure instanceof AgentException e && e.code() == AgentException.Code.INTERRUPTED;
    }

    private void fail(WatchedFile file, String transfer, Throwable failure) {
        String line = Failures.line(failure);
        Failed before = failed.put(file, new Failed(nanoTime.getAsLong(), line));
        boolean began = !transfer.isEmpty();
        if (began || before == null || !before.line().equals(line)) {
            Lines.failed(console, transfer, file.name(), watched.topic(), line, ExitCodes.of(failure));
        }
    }

    /** Returns where the running publications are. */
    List<Progress> progress() {
        return running.values().stream()
                .map(entry -> entry.publication().progress())
                .toList();
    }

    /** Waits until everything that has ended is remembered; for when the agent is closed. */
    void awaitEndings() {
        running.values()
                .forEach(entry -> entry.ending()
                        .completeOnTimeout(null, 5, TimeUnit.SECONDS)
                        .join());
    }
}
