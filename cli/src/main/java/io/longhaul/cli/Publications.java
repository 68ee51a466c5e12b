package io.longhaul.cli;

import io.longhaul.agent.Agent;
import io.longhaul.agent.AgentException;
import io.longhaul.agent.Progress;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublishRequest;
import io.longhaul.cli.terminal.Console;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/**
 * Several publications, a bounded number of them at once, each reported when it ends.
 *
 * <p>Confined to the command's thread, but for {@link #progress()}.
 */
final class Publications {
    /** Enough to keep the network busy while the next source is opened; each costs a reading thread. */
    private static final int MOST_AT_ONCE = 16;

    private final Agent agent;
    private final Console console;
    private final String topic;
    private final Executor executor;
    private final Deque<PublishRequest> waiting = new ArrayDeque<>();
    private final List<Publication> running = new CopyOnWriteArrayList<>();
    private final List<Integer> failures = new ArrayList<>();
    private final List<String> kept = new ArrayList<>();
    private boolean promised;
    private int finished;

    Publications(Agent agent, Console console, String topic, Executor executor) {
        this.agent = agent;
        this.executor = executor;
        this.console = console;
        this.topic = topic;
    }

    /** Publishes until all have ended, the time is over or the process is asked to end. */
    StopSignal.Cause run(List<PublishRequest> requests, StopSignal stop, Deadline deadline) {
        waiting.addAll(requests);
        while (!waiting.isEmpty() || !running.isEmpty()) {
            while (running.size() < MOST_AT_ONCE && !waiting.isEmpty()) {
                start(waiting.remove());
            }
            if (!running.isEmpty()) {
                StopSignal.Cause cause = stop.await(anyResult(), deadline.remainingNs());
                if (cause != StopSignal.Cause.DONE) {
                    return cause;
                }
                collect();
            }
        }
        return StopSignal.Cause.DONE;
    }

    /** Takes over a publication that was started elsewhere. */
    void add(Publication publication) {
        running.add(publication);
    }

    private void start(PublishRequest request) {
        try {
            Publication publication = agent.publish(request);
            // The same source twice is the same transfer.
            if (!running.contains(publication)) {
                running.add(publication);
                if (request.spool()) {
                    publication.spooled().thenRunAsync(() -> Lines.spooled(console, publication, topic), executor);
                }
            }
        } catch (AgentException e) {
            fail("", nameOf(request), e);
        }
    }

    /** The top of a file system has no last part. */
    private static String nameOf(PublishRequest request) {
        Optional<String> last = request.source()
                .map(path -> path.getFileName() == null ? path : path.getFileName())
                .map(Path::toString);
        return request.name().or(() -> last).orElse(PublishCommand.STANDARD_INPUT);
    }

    private CompletableFuture<?> anyResult() {
        return CompletableFuture.anyOf(running.stream().map(Publication::result).toArray(CompletableFuture<?>[]::new));
    }

    /** Reports what was completed since the run ended. */
    void collectCompleted() {
        for (Publication publication : List.copyOf(running)) {
            CompletableFuture<?> result = publication.result();
            if (result.isDone() && !result.isCompletedExceptionally()) {
                running.remove(publication);
                collect(publication);
            }
        }
    }

    /** Reports what was stopped before its stream was read to the end: nobody can go on with that. */
    void failUnread() {
        for (Publication publication : List.copyOf(running)) {
            if (publication.spooled().isCompletedExceptionally()) {
                running.remove(publication);
                failures.add(ExitCodes.INTERRUPTED);
                Lines.failed(
                        console,
                        publication.transfer(),
                        publication.progress().name(),
                        topic,
                        "stopped before the end of standard input; nothing of it is kept, the same command begins anew",
                        ExitCodes.INTERRUPTED);
            }
        }
    }

    /** Returns whether nothing is left to do. */
    boolean isOver() {
        return running.isEmpty() && waiting.isEmpty();
    }

    private void collect() {
        for (Publication publication : List.copyOf(running)) {
            if (publication.result().isDone()) {
                running.remove(publication);
                collect(publication);
            }
        }
    }

    private void collect(Publication publication) {
        try {
            Lines.published(console, publication.result().join(), topic);
            finished++;
        } catch (CompletionException e) {
            promised |= !publication.spooled().isCompletedExceptionally();
            if (agent.publication(publication.transfer()).isPresent()) {
                kept.add(publication.transfer());
            }
            fail(publication.transfer(), publication.progress().name(), e.getCause() == null ? e : e.getCause());
        }
    }

    private void fail(String transfer, String name, Throwable failure) {
        int exit = ExitCodes.of(failure);
        failures.add(exit);
        Lines.failed(console, transfer, name, topic, Failures.line(failure), exit);
    }

    /** Returns where the running ones are. */
    List<Progress> progress() {
        return running.stream().map(Publication::progress).toList();
    }

    /**
     * Says how that goes on which has not ended well; returns the exit code of all.
     *
     * @param cause of the end of the run
     * @param data of the agent
     */
    int end(StopSignal.Cause cause, Path data) {
        for (String transfer : kept) {
            console.warn("longhaul: " + transfer + " is kept in " + data + "; 'longhaul resume " + transfer + " --data "
                    + data + "' goes on with it");
        }
        if (isOver()) {
            return exitCode();
        }
        progress().forEach(progress -> Lines.unfinished(console, progress, topic));
        console.warn("longhaul: " + (cause == StopSignal.Cause.STOPPED ? "interrupted" : "timed out")
                + "; the same command goes on where this one stopped (data in " + data + ")");
        return ExitCodes.INTERRUPTED;
    }

    /** Returns whether every one was refused before it did anything: no caller was told that a source is kept here. */
    boolean isAllRefused() {
        return finished == 0
                && !promised
                && kept.isEmpty()
                && running.isEmpty()
                && !failures.isEmpty()
                && failures.stream().allMatch(code -> code == ExitCodes.REFUSED);
    }

    /** Returns the code of the first failure; 0 without one. */
    int exitCode() {
        return failures.isEmpty() ? ExitCodes.OK : failures.get(0);
    }
}
