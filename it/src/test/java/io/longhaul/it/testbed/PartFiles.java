package io.longhaul.it.testbed;

import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

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
        await().pollInterval(Duration.ofMillis(5))
                .atMost(Child.PATIENCE)
                .until(() -> !of(subscriber).isEmpty());
        return of(subscriber).stream().findFirst().orElseThrow();
    }

    /** Waits until the subscriber has this many bytes of unfinished transfers on disk. */
    public static Path awaitBytes(Node subscriber, long bytes) {
        await().pollInterval(Duration.ofMillis(5))
                .atMost(Child.PATIENCE)
                .until(() -> of(subscriber).stream().mapToLong(Trees::allocated).sum() >= bytes);
        return of(subscriber).get(0);
    }
}
