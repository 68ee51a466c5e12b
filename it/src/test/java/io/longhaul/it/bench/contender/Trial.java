package io.longhaul.it.bench.contender;

import io.longhaul.it.bench.measure.Usage;
import io.longhaul.it.testbed.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * One contender's turn.
 *
 * @param seconds from the start of the sender until the last receiver has everything on its disk
 * @param usage from the start of the sender until everything has ended that takes part in it but servers and receivers
 */
public record Trial(double seconds, Usage usage) {

    /**
     * Plays one; leaves all of its files.
     *
     * @param before brought first and not measured, so that servers and receivers are at work already; empty for new ones
     * @throws AssertionError when it failed, or brought other bytes
     */
    public static Trial of(
            Path directory, Path programs, Contender contender, Path source, int receivers, Optional<Path> before) {
        try (Stage stage = Stage.open(directory, programs)) {
            contender.start(stage, receivers);
            before.ifPresent(contender::run);
            settle();
            stage.meter().begin();
            double seconds = contender.run(source);
            Usage usage = stage.meter().end();
            contender.finish();
            for (int receiver = 0; receiver < receivers; receiver++) {
                compare(source, contender.arrived(receiver));
            }
            return new Trial(seconds, usage);
        }
    }

    /** Has earlier writes on the disk before the clock starts. */
    public static void settle() {
        try {
            new ProcessBuilder("sync").start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("sync cannot be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Compares names and bytes: most contenders carry neither times nor modes. */
    static void compare(Path source, Path arrived) {
        List<Path> files = source.toFile().isDirectory() ? Trees.files(source) : List.of(source);
        for (Path file : files) {
            Path found = file.equals(source) ? arrived : arrived.resolve(source.relativize(file));
            try {
                if (Files.mismatch(file, found) != -1) {
                    throw new AssertionError(found + ": arrived with other bytes");
                }
            } catch (IOException e) {
                throw new AssertionError(found + ": did not arrive whole: " + e, e);
            }
        }
    }
}
