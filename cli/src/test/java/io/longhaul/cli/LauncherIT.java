package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script longhaul, with a Java in its place that tells what it was given. */
final class LauncherIT {
    private static final Path SCRIPT = Path.of("..", "longhaul");

    @TempDir
    private Path home;

    private Path script = Path.of("");

    private void install() throws IOException {
        script = Files.copy(SCRIPT, home.resolve("longhaul"));
        Files.createDirectories(home.resolve("cli/target/longhaul"));
        Files.createFile(home.resolve("cli/target/longhaul/built"));
        Path java = Files.createDirectories(home.resolve("jdk/bin")).resolve("java");
        Files.writeString(home.resolve("jdk/release"), "JAVA_VERSION=\"17\"\n");
        Files.writeString(java, """
                #!/bin/sh
                seen=$(for n in 0 1 2; do readlink /proc/$$/fd/$n; done)
                echo "$seen" > STREAMS
                """.replace("STREAMS", home.resolve("streams").toString()));
        assertThat(java.toFile().setExecutable(true)).isTrue();
    }

    /** The next file that Java opens would get the number of a closed stream, and be read or written as that. */
    @Test
    void shouldLeaveNoStandardStreamClosed() throws Exception {
        // given
        install();
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", "exec bash \"$0\" version <&- >&-", script.toString())
                .redirectError(home.resolve("errors").toFile());
        builder.environment().put("JAVA_HOME", home.resolve("jdk").toString());

        // when
        Process process = builder.start();

        // then
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readAllLines(home.resolve("streams")))
                .containsExactly(
                        "/dev/null",
                        "/dev/null",
                        home.resolve("errors").toRealPath().toString());
    }
}
