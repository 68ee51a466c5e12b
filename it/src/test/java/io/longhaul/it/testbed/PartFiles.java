package io.longhaul.it.testbed;

import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ConditionTimeoutException;

/** What a subscriber has received of transfers that have not ended: the files in its own folder. */
public final class PartFiles {
    private static final String FOLDER = ".longhaul";

    private PartFiles() {}

    /** Returns those that have any bytes on disk. */
    public static List<Path> of(Node subscriber) {
        Path folder = subscriber.into().resolve(FOLDER);
        return Files.isDirectory(folder)
                ? Trees.files(folder).stream()
                        .filter(file -> Trees.allocated(file) > 0)
                        .toList()
                : List.of();
    }

    /** Waits until the subscriber has received something. */
    public static Path awaitFirst(Node subscriber) {
        return awaitBytes(subscriber, 1);
    }

    /** Waits until the subscriber has this many bytes of unfinished transfers on disk. */
    public static Path awaitBytes(Node subscriber, long bytes) {
        return awaitBytes(subscriber, bytes, Child.PATIENCE);
    }

    /** Waits as long as told. */
    public static Path awaitBytes(Node subscriber, long bytes, Duration patience) {
        try {
            await().pollInterval(Duration.ofMillis(5))
                    .atMost(patience)
                    .until(() ->
                            of(subscriber).stream().mapToLong(Trees::allocated).sum() >= bytes);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(
                    subscriber.label() + ": no " + bytes + " bytes in part files within " + patience + '\n'
                            + subscriber.child().story(),
                    e);
        }
        return of(subscriber).get(0);
    }
}
