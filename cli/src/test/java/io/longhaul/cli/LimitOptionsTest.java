package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.broker.limits.Limit;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class LimitOptionsTest {
    private static LimitOptions options(String... arguments) {
        LimitOptions options = new LimitOptions();
        CommandLine.Model.CommandSpec command = CommandLine.Model.CommandSpec.create();
        command.addMixin("limits", CommandLine.Model.CommandSpec.forAnnotatedObject(options));
        new CommandLine(command).parseArgs(arguments);
        return options;
    }

    @Test
    void shouldPutTogetherWhatIsSaidOfAPattern() {
        // when
        var limiting = options(
                        "--limit-topic",
                        "a.*=rate=1MiB",
                        "--limit-topic",
                        "b=transfers=2",
                        "--limit-topic",
                        "a.*=pieces=3")
                .limiting();

        // then
        assertThat(limiting.topics())
                .containsEntry("a.*", new Limit(1 << 20, 0, 0, 3))
                .containsEntry("b", new Limit(0, 2, 0, 0));
    }

    @Test
    void shouldRefuseWhatIsSaidTwice() {
        assertThatThrownBy(() -> options("--limit-topic", "a.*=rate=1MiB", "--limit-topic", "a.*=rate=2MiB")
                        .limiting())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--limit-topic a.*: limit rate: expected once, found twice");
        assertThatThrownBy(() -> options("--limit-user", "rate=1MiB", "--limit-user", "pieces=1,rate=2MiB")
                        .limiting())
                .hasMessage("--limit-user: limit rate: expected once, found twice");
    }
}
