package io.longhaul.it.kill;

import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** Whether work went on since a moment: pieces were written, or a transfer ended. */
final class SignOfLife {
    private final Instant at = Instant.now();
    private final List<Node> observers;
    private final long eventsBefore;

    private SignOfLife(List<Node> observers) {
        this.observers = observers;
        this.eventsBefore = ends();
    }

    /**
     * Looks for what happens from now on.
     *
     * @param observers the nodes at which the work shows
     */
    static SignOfLife fromNowOn(List<Node> observers) {
        return new SignOfLife(observers);
    }

    boolean isThere() {
        return ends() > eventsBefore
                || observers.stream().anyMatch(node -> Files.isDirectory(node.into()) && isWritten(node.into()));
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

    private long ends() {
        return observers.stream()
                .mapToLong(node -> node.events("delivered").size()
                        + node.events("published").size())
                .sum();
    }
}
