package io.longhaul.it.powerloss;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** The compiled layer and its tool; several processes may build them at a time, and each has whole ones. */
final class PowerLossLayer {
    private static final Path SOURCES = Path.of("src/test/c/powerloss");
    private static final Path TARGET = Path.of("target/powerloss");

    private final Path library;
    private final Path tool;

    private PowerLossLayer(Path library, Path tool) {
        this.library = library;
        this.tool = tool;
    }

    /** Compiles the layer; skips the test, loudly, where there is no C compiler. */
    static synchronized PowerLossLayer build() {
        try {
            Path target = Files.createDirectories(TARGET).toRealPath();
            PowerLossLayer layer = new PowerLossLayer(target.resolve("powerloss.so"), target.resolve("powerloss"));
            if (!Files.exists(layer.tool) || isOlderThanSources(layer.tool)) {
                layer.compile();
            }
            return layer;
        } catch (IOException e) {
            throw new UncheckedIOException("the power-loss layer cannot be built", e);
        }
    }

    private static boolean isOlderThanSources(Path file) throws IOException {
        try (var sources = Files.list(SOURCES)) {
            long built = Files.getLastModifiedTime(file).toMillis();
            return sources.anyMatch(source -> source.toFile().lastModified() >= built);
        }
    }

    private void compile() throws IOException {
        Assumptions.assumeTrue(hasCompiler(), () -> {
            System.err.println("NOT TESTED: power loss; no C compiler (cc) on this machine");
            return "no C compiler (cc): power loss is not tested";
        });
        Path newLibrary = unfinished(library);
        run(List.of(
                "cc",
                "-std=gnu11",
                "-O1",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-shared",
                "-fPIC",
                "-o",
                newLibrary.toString(),
                source("preload.c"),
                source("shadow.c"),
                "-ldl",
                "-lpthread"));
        Path newTool = unfinished(tool);
        run(List.of(
                "cc",
                "-std=gnu11",
                "-O1",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-o",
                newTool.toString(),
                source("tool.c"),
                source("shadow.c"),
                "-lpthread"));
        // Who finds the tool takes the library to be there.
        Files.move(newLibrary, library, StandardCopyOption.ATOMIC_MOVE);
        Files.move(newTool, tool, StandardCopyOption.ATOMIC_MOVE);
    }

    private static Path unfinished(Path file) {
        return file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid());
    }

    private static boolean hasCompiler() {
        try {
            return new ProcessBuilder("cc", "--version")
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static String source(String name) {
        return SOURCES.resolve(name).toAbsolutePath().toString();
    }

    Path library() {
        return library;
    }

    /** Takes what lies below a directory as durable. */
    void baseline(Path root, Path shadow) {
        run(List.of(tool.toString(), "baseline", root.toString(), shadow.toString()));
    }

    /** Makes an image of what a power cut would leave, and returns what the tool says about it. */
    String cut(Path root, Path shadow, Path image, long seed) {
        return run(List.of(
                tool.toString(), "cut", root.toString(), shadow.toString(), image.toString(), Long.toString(seed)));
    }

    private static String run(List<String> command) {
        try {
            Process process = new ProcessBuilder(new ArrayList<>(command))
                    .redirectErrorStream(true)
                    .start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError(command + " ended with " + process.exitValue() + ":\n" + text);
            }
            return text.trim();
        } catch (IOException e) {
            throw new UncheckedIOException(command + " cannot be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(command + " interrupted", e);
        }
    }
}
