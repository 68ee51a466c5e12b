package io.longhaul.it.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** A file system of a few MiB (tmpfs) that a test fills up and frees again; needs root. */
public final class SmallDisk {
    private final Path directory;
    private final Path ballast;

    private SmallDisk(Path directory) {
        this.directory = directory;
        this.ballast = directory.resolve("ballast");
    }

    /** Mounts it over a directory until the testbed closes; skips the test, loudly, where that is not allowed. */
    public static SmallDisk mount(Testbed testbed, Path directory, long bytes) {
        String said = run(List.of("mount", "-t", "tmpfs", "-o", "size=" + bytes, "longhaul-it", directory.toString()));
        Assumptions.assumeTrue(said.isEmpty(), () -> {
            System.err.println("NOT TESTED: full disk; tmpfs cannot be mounted: " + said);
            return "tmpfs cannot be mounted: " + said;
        });
        testbed.atClose(() -> run(List.of("umount", "-l", directory.toString())));
        return new SmallDisk(directory);
    }

    public Path directory() {
        return directory;
    }

    /** Takes space away until only this much is left. */
    public void leave(long bytes) {
        TestFile.random(ballast, 1, Math.max(0, directory.toFile().getUsableSpace() - bytes));
    }

    /** Gives the space back. */
    public void free() {
        try {
            Files.deleteIfExists(ballast);
        } catch (IOException e) {
            throw new UncheckedIOException(ballast + ": cannot be removed", e);
        }
    }

    private static String run(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? "" : text + " (" + process.exitValue() + ")";
        } catch (IOException e) {
            return e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }
}
