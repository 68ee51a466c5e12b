package io.longhaul.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.Progress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ProgressLineTest {
    private static final long MIB = 1 << 20;

    private static Progress progress(String name, long total, long safe, String phase) {
        return new Progress("0".repeat(32), name, total, safe, 0, 0, 0, phase);
    }

    @Test
    void shouldShowEverythingWhenTerminalIsWide() {
        // when
        String line = new ProgressLine(progress("rain.nc", 256 * MIB, 64 * MIB, "sending"), 32.0 * MIB).bar(100);

        // then
        assertThat(line)
                .isEqualTo("rain.nc [#######-----------------------]  25%  64.0 MiB of 256 MiB  32.0 MiB/s"
                        + "  0:06 left");
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 10, 20, 30, 40, 60, 79, 80, 200})
    void shouldFitWhenTerminalIsNarrow(int columns) {
        // given
        Progress progress = progress("a rather long name 文件.nc\n", 3 * MIB, MIB, "receiving");

        // when
        String line = new ProgressLine(progress, 1000).bar(columns);

        // then
        assertThat(Shown.columns(line)).isLessThanOrEqualTo(columns);
        assertThat(line).doesNotContain("\n");
    }

    @Test
    void shouldNameThePhaseWhenNothingMoves() {
        // when
        String line = new ProgressLine(progress("x", MIB, MIB, "waiting"), 0).bar(80);

        // then
        assertThat(line).contains("100%").endsWith("waiting").doesNotContain("left");
    }

    @Test
    void shouldAdmitWhenLengthIsUnknown() {
        // when
        String line = new ProgressLine(progress("stream", -1, 5 * MIB, "sending"), MIB).bar(80);

        // then
        assertThat(line).contains("?%").contains("5.0 MiB  1.0 MiB/s").doesNotContain("#");
    }

    @Test
    void shouldBeWholeWhenFileIsEmpty() {
        // then
        assertThat(new ProgressLine(progress("empty", 0, 0, "sending"), 0).bar(80))
                .contains("100%");
    }

    @Test
    void shouldBeOnePlainLineWhenThereIsNoTerminal() {
        // when
        String line = new ProgressLine(progress("rain.nc", 4 * MIB, MIB, "sending"), MIB).plain();

        // then
        assertThat(line).isEqualTo("rain.nc: 25%, 1.0 MiB of 4.0 MiB, sending, 1.0 MiB/s, 0:03 left");
    }
}
