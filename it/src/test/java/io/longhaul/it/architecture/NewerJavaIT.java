package io.longhaul.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.testbed.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That newer JDKs than the one that runs the tests build the product as well. */
final class NewerJavaIT {
    private static final Path HOMES = Path.of("/usr/lib/jvm");

    @TempDir
    Path directory;

    @Test
    void shouldCompileWithoutWarningsWhenTheNewestJdkHereBuildsIt() throws Exception {
        // given
        Optional<Path> newest = newest();
        Assumptions.assumeTrue(newest.isPresent(), () -> {
            String said = "skipped: no JDK newer than " + Runtime.version().feature() + " in " + HOMES;
            System.err.println(said);
            return said;
        });
        List<String> arguments = new ArrayList<>(List.of(
                "--release",
                "17",
                "-proc:none",
                "-Xlint:all,-processing,-path",
                "-Werror",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                directory.resolve("classes").toString()));
        arguments.addAll(sources());
        Path file = Files.write(directory.resolve("arguments"), arguments);

        // when
        Path output = directory.resolve("output");
        Process compiler = new ProcessBuilder(newest.get().resolve("bin/javac").toString(), "@" + file)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = compiler.waitFor(5, TimeUnit.MINUTES);
        compiler.destroyForcibly();

        // then
        assertThat(ended).isTrue();
        assertThat(compiler.exitValue()).as(() -> text(output)).isZero();
    }

    private static List<String> sources() throws IOException {
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            List<String> sources = modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .flatMap(folder -> Trees.entries(folder).stream())
                    .map(Path::toString)
                    .filter(name -> name.endsWith(".java"))
                    .toList();
            assertThat(sources).hasSizeGreaterThan(100);
            return sources;
        }
    }

    /** Returns the home of the newest JDK here that is newer than the one that runs this. */
    private static Optional<Path> newest() throws IOException {
        if (!Files.isDirectory(HOMES)) {
            return Optional.empty();
        }
        try (Stream<Path> homes = Files.list(HOMES)) {
            return homes.filter(home -> Files.isExecutable(home.resolve("bin/javac")))
                    .filter(home -> feature(home) > Runtime.version().feature())
                    .max(Comparator.comparingInt(NewerJavaIT::feature));
        }
    }

    private static int feature(Path home) {
        Properties release = new Properties();
        try (var reader = Files.newBufferedReader(home.resolve("release"))) {
            release.load(reader);
            return Runtime.Version.parse(
                            release.getProperty("JAVA_VERSION", "0").replace("\"", ""))
                    .feature();
        } catch (IOException | IllegalArgumentException e) {
            return 0;
        }
    }

    private static String text(Path output) {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
