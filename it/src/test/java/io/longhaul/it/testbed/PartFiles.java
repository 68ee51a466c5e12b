package io.longhaul.it.testbed;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** What a subscriber has received of transfers that have not ended: the files in its own folder. */
public final class PartFiles {
    private static final String FOLDER = ".longhaul";

    /** Each look starts a process. */
    private static final Duration POLL = Duration.ofMillis(20);

    private PartFiles() {}

    /** Returns those that have any bytes on disk. */
    public static List<Path> of(Node subscriber) {
        return allocated(subscriber).entrySet().stream()
                .filter(file -> file.getValue() > 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    private static Map<Path, Long> allocated(Node subscriber) {
        Path folder = subscriber.into().resolve(FOLDER);
        return Files.isDirectory(folder) ? Trees.allocated(Trees.files(folder)) : Map.of();
    }

    /** Waits until the subscriber has received something of its first transfer, be it all of that by now. */
    public static void awaitFirst(Node subscriber) {
        awaitFirst(subscriber, 0);
    }

    /** Waits until the subscriber has received something of the transfer behind so many, be it all of that by now. */
    public static void awaitFirst(Node subscriber, int earlier) {
        await(subscriber, 1, earlier, Child.PATIENCE);
    }

    private static int delivered(Node subscriber) {
        return subscriber.events("delivered").size();
    }

    private static long bytes(Node subscriber) {
        return allocated(subscriber).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Waits until the subscriber has this many bytes of its first transfer on disk, be it all of that by now. */
    public static void awaitBytes(Node subscriber, long bytes) {
        awaitBytes(subscriber, bytes, Child.PATIENCE);
    }

    /** Waits as long as told. */
    public static void awaitBytes(Node subscriber, long bytes, Duration patience) {
        await(subscriber, bytes, 0, patience);
    }

    private static void await(Node subscriber, long bytes, int earlier, Duration patience) {
        try {
            Awaitility.await()
                    .pollInterval(POLL)
                    .atMost(patience)
                    .until(() -> bytes(subscriber) >= bytes || delivered(subscriber) > earlier);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(
                    subscriber.label() + ": no " + bytes + " bytes in part files within " + patience + '\n'
                            + subscriber.child().story(),
                    e);
        }
    }
}
