package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ResultStreamTest {
    @TempDir
    private Path home;

    private static OutputStream failing(String why) {
        return new ResultStream(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(why);
            }
        });
    }

    @Test
    void shouldFailWhenResultsCannotBeWritten() {
        try (TestEnvironment world = new TestEnvironment(home, failing("No space left on device"))) {
            // when, then
            assertThat(world.run("version")).isEqualTo(4);
            assertThat(world.err()).singleElement().asString().contains("longhaul version: standard output");
        }
    }

    @Test
    void shouldFailWhenHelpCannotBeWritten() {
        try (TestEnvironment world = new TestEnvironment(home, failing("No space left on device"))) {
            // when, then
            assertThat(world.run("publish", "--help")).isEqualTo(4);
        }
    }

    @Test
    void shouldKeepCodeWhenCommandFailedItself() {
        try (TestEnvironment world = new TestEnvironment(home, failing("No space left on device"))) {
            // when, then
            assertThat(world.run("transfers", "--data", home.resolve("none").toString()))
                    .isEqualTo(2);
        }
    }

    @Test
    void shouldSucceedWhenReaderHasLeft() {
        try (TestEnvironment world = new TestEnvironment(home, failing("Broken pipe"))) {
            // when, then
            assertThat(world.run("version")).isZero();
            assertThat(world.err()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"version", "doctor"})
    void shouldSayInOneLineWhenTheMachineFails(String command) {
        // given
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int b) {
                throw new InternalError("a page is gone");
            }
        };
        try (TestEnvironment world = new TestEnvironment(home, broken)) {
            // when, then
            assertThat(world.run(command)).isEqualTo(4);
            assertThat(world.err())
                    .containsExactly("longhaul " + command + ": unexpected InternalError: a page is gone"
                            + " (run it again with --debug for details)");
        }
    }
}
