package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.PtcpConfig;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PtcpOptionsTest {
    @ParameterizedTest
    @ValueSource(strings = {"client", "server"})
    void shouldTellTheDefaultWindowWhenHelpIsAsked(String end, @TempDir Path home) {
        try (TestEnvironment world = new TestEnvironment(home)) {
            // when
            world.run("ptcp-perf", end, "--help");

            // then
            long mebibytes = PtcpConfig.defaults().windowBytes() >> 20;
            assertThat(String.join(" ", world.out()).replaceAll("\\s+", " "))
                    .contains("Most bytes on their way; the smaller value of both ends holds. Default: " + mebibytes
                            + "MiB.");
        }
    }
}
