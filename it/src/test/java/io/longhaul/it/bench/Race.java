package io.longhaul.it.bench;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One measured transfer: the clock starts with the sender's process, when all receivers wait, and stops when the last
 * receiver has the file synced under its name.
 */
final class Race {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private Race() {}

    /**
     * Returns the seconds.
     *
     * @param before sent first and not measured, so that server and receivers are at work already; empty for new ones
     */
    static double run(Testbed testbed, Contestant contestant, Path source, int receivers, Optional<Path> before) {
        List<Child> waiting = contestant.receivers(testbed, receivers, before.isPresent() ? 2 : 1);
        before.ifPresent(file -> seconds(contestant.send(testbed, file), waiting, 1));
        settle();
        double seconds = seconds(contestant.send(testbed, source), waiting, before.isPresent() ? 2 : 1);
        String name = source.getFileName().toString();
        if (!TestFile.digest(contestant.directory(testbed, receivers - 1).resolve(name))
                .equals(TestFile.digest(source))) {
            throw new AssertionError(name + ": arrived with other bytes");
        }
        return seconds;
    }

    private static double seconds(Child sender, List<Child> waiting, int files) {
        long last = sender.startedNanos();
        for (Child receiver : waiting) {
            last = Math.max(
                    last,
                    receiver.awaitEvents("delivered", files, PATIENCE)
                            .get(files - 1)
                            .atNanos());
        }
        sender.expectExit(0);
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
