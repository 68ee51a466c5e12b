package io.longhaul.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.ErrorStream;
import io.longhaul.cli.terminal.LogForm;
import io.longhaul.cli.terminal.Screen;
import io.longhaul.ptcp.perf.PerfProgress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class IntervalsTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Intervals intervals = new Intervals(
            new Console(
                    new PrintStream(out, true, StandardCharsets.UTF_8),
                    new ErrorStream(new ByteArrayOutputStream()),
                    Screen::none,
                    () -> 0,
                    false,
                    false,
                    LogForm.TEXT),
            SECOND);

    private void next(long nanos, long roundTripNanos) {
        intervals.next(new PerfProgress(nanos, nanos / 1000, 4, roundTripNanos));
    }

    @Test
    void shouldPrintOneLineWhenLateCallsComeInARow() {
        // given
        next(SECOND, 1);

        // when
        for (int i = 0; i < 20; i++) {
            next(20 * SECOND + i, 1);
        }

        // then
        assertThat(out.toString(StandardCharsets.UTF_8).lines()).hasSize(2);
    }

    @Test
    void shouldSayThatTheRoundTripIsUnknownBeforeItIsMeasured() {
        // when
        next(SECOND, 0);
        next(2 * SECOND, 1_500_000);

        // then
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .satisfiesExactly(
                        first -> assertThat(first).endsWith("round trip unknown"),
                        second -> assertThat(second).endsWith("round trip 1.50 ms"));
    }
}
