package io.longhaul.it.kill;

import static org.awaitility.Awaitility.await;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.awaitility.core.ConditionTimeoutException;

/** A process started again, and when its work went on: pieces were written, or a transfer ended. */
final class Restart {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Child child;
    private final Instant at;
    private final boolean unfinished;
    private final List<Node> observers;
    private final long eventsBefore;

    private Restart(Child child, Instant at, boolean unfinished, List<Node> observers, long eventsBefore) {
        this.child = child;
        this.at = at;
        this.unfinished = unfinished;
        this.observers = observers;
        this.eventsBefore = eventsBefore;
    }

    /**
     * Starts the node again.
     *
     * @param unfinished whether there is work to go on with; otherwise being ready is all there is to see
     * @param observers the nodes at which the work shows
     */
    static Restart of(Node node, boolean unfinished, List<Node> observers) {
        long eventsBefore = ends(observers);
        Instant at = Instant.now();
        return new Restart(node.start(), at, unfinished, observers, eventsBefore);
    }

    long atNanos() {
        return child.startedNanos();
    }

    /** Returns how long it took until work went on. */
    Duration awaitSignOfLife() {
        try {
            await().pollInterval(Duration.ofMillis(20)).atMost(PATIENCE).until(this::isAtWork);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(child.label() + ": nothing goes on after the restart\n" + child.story(), e);
        }
        return Duration.ofNanos(System.nanoTime() - child.startedNanos());
    }

    private boolean isAtWork() {
        return ends(observers) > eventsBefore
                || observers.stream().anyMatch(node -> Files.isDirectory(node.into()) && isWritten(node.into()))
                || !unfinished && !child.events("ready").isEmpty();
    }

    /** The agent's own folder holds the part files; its own time changes at every start, so files alone count. */
    private boolean isWritten(Path into) {
        Path parts = into.resolve(".longhaul");
        return Files.isDirectory(parts) && Trees.files(parts).stream().anyMatch(this::isNewer);
    }

    private boolean isNewer(Path file) {
        try {
            return Files.getLastModifiedTime(file).toInstant().isAfter(at);
        } catch (IOException e) {
            return false; // it went into place meanwhile, which shows in the next look
        }
    }

    private static long ends(List<Node> observers) {
        return observers.stream()
                .mapToLong(node -> node.events("delivered").size()
                        + node.events("published").size())
                .sum();
    }
}
