package io.longhaul.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ConsoleTest {
    private static final long SECOND = 1_000_000_000L;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final ErrorStream errorStream = new ErrorStream(err);
    private Screen screen = Screen.none();
    private long nowNs;

    private Console console(boolean json, boolean quiet) {
        return console(json, quiet, LogForm.TEXT);
    }

    private Console console(boolean json, boolean quiet, LogForm form) {
        return new Console(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                errorStream,
                () -> screen,
                () -> nowNs,
                json,
                quiet,
                form);
    }

    private static Progress progress(int number, long safe) {
        return new Progress(Integer.toString(number), "file-" + number, 100, safe, 0, 0, 0, "sending");
    }

    private String shown(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldPrintTextOrObjectWhenResultComes() {
        // when
        console(false, false).result("text", JsonLine.of("x"));
        console(true, false).result("text", JsonLine.of("x").with("n", 1));

        // then
        assertThat(shown(out)).isEqualTo("text\n{\"event\":\"x\",\"n\":1}\n");
        assertThat(shown(err)).isEmpty();
    }

    @Test
    void shouldKeepEventsForProgramsWhenTextIsAsked() {
        // when
        console(false, false).event(JsonLine.of("ready"));
        console(true, false).event(JsonLine.of("ready"));

        // then
        assertThat(shown(out)).isEqualTo("{\"event\":\"ready\"}\n");
    }

    @Test
    void shouldWriteAnObjectForEachLineWhenLogsAreJson() {
        // given
        Console console = console(false, false, LogForm.JSON);
        screen = new Screen(80, 24);

        // when
        console.say("nice\nto \"know\"");
        console.warn("must know");
        console.progress(List.of(progress(1, 50)));
        nowNs = 60 * SECOND;
        console.progress(List.of(progress(1, 60)));

        // then
        String front = "\\{\"time\":\"[-0-9]{10}T[:0-9]{8}\\.[0-9]{3}Z\",\"level\":";
        String middle = ",\"logger\":\"longhaul\",\"thread\":\"main\",\"message\":";
        List<String> lines = shown(err).lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).matches(front + "\"INFO\"" + middle + "\"nice\\\\nto \\\\\"know\\\\\"\"}");
        assertThat(lines.get(1)).matches(front + "\"WARN\"" + middle + "\"must know\"}");
        assertThat(lines.get(2)).matches(front + "\"INFO\"" + middle + "\".*file-1.*\"}");
    }

    @Test
    void shouldSayOnlyWhatMustBeSaidWhenQuiet() {
        // given
        Console console = console(false, true);

        // when
        console.say("nice to know");
        console.warn("must know");
        console.progress(List.of(progress(1, 50)));

        // then
        assertThat(shown(err)).isEqualTo("must know\n");
    }

    @Test
    void shouldRedrawInPlaceWhenOnTerminal() {
        // given
        screen = new Screen(80, 24);
        Console console = console(false, false);

        // when
        console.progress(List.of(progress(1, 10), progress(2, 20)));
        console.progress(List.of(progress(1, 30)));

        // then
        assertThat(shown(err).split("\r\033\\[2A\033\\[J", -1)).hasSize(2);
        assertThat(shown(err)).contains("file-1", "file-2", " 10%", " 30%").endsWith("\n");
    }

    @Test
    void shouldPutResultAboveProgressWhenOnTerminal() {
        // given
        screen = new Screen(80, 24);
        Console console = console(false, false);
        console.progress(List.of(progress(1, 10)));

        // when
        console.result("done", JsonLine.of("x"));
        console.endProgress();
        console.progress(List.of(progress(1, 20)));

        // then
        assertThat(shown(err)).endsWith("\r\033[1A\033[J");
        assertThat(shown(out)).isEqualTo("done\n");
    }

    @Test
    void shouldKeepLogsAboveProgressWhenOnTerminal() {
        // given
        screen = new Screen(80, 24);
        Console console = console(false, false);
        console.progress(List.of(progress(1, 10), progress(2, 20)));
        err.reset();

        // when
        errorStream.println("a log");
        console.progress(List.of(progress(1, 30)));

        // then
        assertThat(shown(err)).startsWith("\r\033[2A\033[Ja log\n").endsWith("\n");
        assertThat(shown(err).split("a log")[1]).contains("file-1").doesNotContain("A\033[J");
    }

    @Test
    void shouldNotWrapWhenTheTerminalHasBecomeNarrow() {
        // given
        screen = new Screen(80, 24);

        // when
        console(false, false).progress(List.of(progress(1, 10)));

        // then
        assertThat(shown(err)).matches("\033\\[\\?7l.*\033\\[\\?7h\n");
    }

    @Test
    void shouldBoundLinesWhenThereAreManyTransfers() {
        // given
        screen = new Screen(80, 8);

        // when
        console(false, false)
                .progress(IntStream.range(0, 50).mapToObj(i -> progress(i, 1)).toList());

        // then
        assertThat(shown(err).lines()).hasSize(7).last().asString().contains("and 44 more");
    }

    @Test
    void shouldSpeakNowAndThenWhenThereIsNoTerminal() {
        // given
        Console console = console(false, false);

        // when
        for (int tick = 0; tick <= 12; tick++) {
            nowNs = tick * SECOND;
            console.progress(List.of(progress(1, tick)));
        }

        // then
        assertThat(shown(err).lines()).hasSize(2).allMatch(line -> line.startsWith("file-1: "));
    }

    @Test
    void shouldSpeakOnceAMinuteWhenATransferStandsStillWithoutTerminal() {
        // given
        Console console = console(false, false);

        // when
        for (int tick = 0; tick <= 120; tick++) {
            nowNs = tick * SECOND;
            console.progress(List.of(progress(1, 50)));
        }

        // then
        assertThat(shown(err).lines()).hasSize(2).allMatch(line -> line.startsWith("file-1: "));
    }

    @Test
    void shouldSumUpWhenSeveralAreOnTheirWayWithoutTerminal() {
        // given
        Console console = console(false, false);
        console.progress(List.of(progress(1, 0), progress(2, 0)));

        // when
        nowNs = 5 * SECOND;
        console.progress(List.of(progress(1, 50), progress(2, 50)));

        // then
        assertThat(shown(err)).isEqualTo("2 transfers: 100 B of 200 B, 20 B/s\n");
    }
}
