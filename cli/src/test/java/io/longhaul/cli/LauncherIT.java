package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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
                if [ "$1" = -version ]; then echo 'openjdk version "17.0.9"' >&2; exit; fi
                seen=$(for n in 0 1 2; do readlink /proc/$$/fd/$n; done)
                echo "$seen" > STREAMS
                locale > LOCALE
                """.replace("STREAMS", home.resolve("streams").toString())
                .replace("LOCALE", home.resolve("locale").toString()));
        assertThat(java.toFile().setExecutable(true)).isTrue();
    }

    /** The words of the system are how its failures are known. */
    @Test
    void shouldHaveTheSystemSpeakEnglishAndNameFilesInUtf8() throws Exception {
        // given
        install();
        ProcessBuilder builder = new ProcessBuilder("bash", script.toString(), "version");
        builder.environment()
                .putAll(Map.of("JAVA_HOME", home.resolve("jdk").toString(), "LC_ALL", "C.UTF-8", "LANGUAGE", "de:en"));

        // when
        Process process = builder.inheritIO().start();

        // then
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readAllLines(home.resolve("locale"))).contains("LC_CTYPE=C.UTF-8", "LC_MESSAGES=C", "LC_ALL=");
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

    @Test
    void shouldSayInOneLineThatTooFewFilesMayBeOpen() throws Exception {
        // given
        install();
        ProcessBuilder builder = new ProcessBuilder(
                        "bash", "-c", "ulimit -n 40; exec bash \"$0\" version", script.toString())
                .redirectError(home.resolve("errors").toFile());
        builder.environment().put("JAVA_HOME", home.resolve("jdk").toString());

        // when
        Process process = builder.start();

        // then
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(Files.readString(home.resolve("errors")))
                .isEqualTo(
                        "longhaul: needs 256 open files at a time, the limit here is 40: raise it with 'ulimit -n'.\n");
    }

    /** As where a distribution has divided a Java among packages. */
    @Test
    void shouldRunAJavaThatHasNoReleaseFile() throws Exception {
        // given
        install();
        Files.delete(home.resolve("jdk/release"));
        ProcessBuilder builder = new ProcessBuilder("bash", script.toString(), "version");
        builder.environment().put("JAVA_HOME", home.resolve("jdk").toString());

        // when
        Process process = builder.inheritIO().start();

        // then
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(home.resolve("streams")).exists();
    }

    /** Else the command would run all the same, and no later one start fast. */
    @Test
    void shouldEndWhenItIsInterruptedWhileItPreparesFasterStarts() throws Exception {
        // given
        install();
        Files.writeString(home.resolve("jdk/bin/java"), """
                #!/bin/sh
                case "$*" in *DumpLoadedClassList*) kill -TERM $PPID; exit 6 ;; esac
                touch STARTED
                """.replace(
                        "STARTED", home.resolve("started").toString()));
        ProcessBuilder builder = new ProcessBuilder("bash", script.toString(), "version");
        Path temporary = Files.createDirectory(home.resolve("tmp"));
        builder.environment()
                .putAll(Map.of("JAVA_HOME", home.resolve("jdk").toString(), "TMPDIR", temporary.toString()));

        // when
        Process process = builder.inheritIO().start();

        // then
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(6);
        assertThat(home.resolve("started")).doesNotExist();
        assertThat(temporary).isEmptyDirectory();
        try (Stream<Path> made = Files.list(home.resolve("cli/target/longhaul"))) {
            assertThat(made).containsExactly(home.resolve("cli/target/longhaul/built"));
        }
    }
}
