package io.longhaul.it.testbed;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
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

    /** Waits until the subscriber has received something, be it all of a transfer by now. */
    public static void awaitFirst(Node subscriber) {
        int before = delivered(subscriber);
        await(
                subscriber,
                "bytes in part files",
                Child.PATIENCE,
                () -> bytes(subscriber) > 0 || delivered(subscriber) > before);
    }

    private static int delivered(Node subscriber) {
        return subscriber.events("delivered").size();
    }

    private static long bytes(Node subscriber) {
        return allocated(subscriber).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Waits until the subscriber has this many bytes of unfinished transfers on disk. */
    public static void awaitBytes(Node subscriber, long bytes) {
        awaitBytes(subscriber, bytes, Child.PATIENCE);
    }

    /** Waits as long as told. */
    public static void awaitBytes(Node subscriber, long bytes, Duration patience) {
        await(subscriber, bytes + " bytes in part files", patience, () -> bytes(subscriber) >= bytes);
    }

    private static void await(Node subscriber, String what, Duration patience, Callable<Boolean> condition) {
        try {
            Awaitility.await().pollInterval(POLL).atMost(patience).until(condition);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(
                    subscriber.label() + ": no " + what + " within " + patience + '\n'
                            + subscriber.child().story(),
                    e);
        }
    }
}
