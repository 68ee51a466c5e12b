package io.longhaul.it.bench;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * One measured transfer: the clock starts with the sender's process, when all receivers wait, and stops when the last
 * receiver has the file synced under its name.
 */
final class Race {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private Race() {}

    /** Returns the seconds. */
    static double run(Testbed testbed, Contestant contestant, Path source, int receivers) {
        List<Child> waiting = contestant.receivers(testbed, receivers);
        settle();
        Child sender = contestant.send(testbed, source);
        long last = sender.startedNanos();
        for (Child receiver : waiting) {
            last = Math.max(
                    last, receiver.awaitEvents("delivered", 1, PATIENCE).get(0).atNanos());
        }
        sender.expectExit(0);
        String name = source.getFileName().toString();
        if (!TestFile.digest(contestant.directory(testbed, receivers - 1).resolve(name))
                .equals(TestFile.digest(source))) {
            throw new AssertionError(name + ": arrived with other bytes");
        }
        return (last - sender.startedNanos()) / 1e9;
    }

    /** Has earlier writes on the disk before the clock starts. */
    static void settle() {
        try {
            new ProcessBuilder("sync").start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("sync cannot be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
