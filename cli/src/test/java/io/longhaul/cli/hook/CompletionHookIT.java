package io.longhaul.cli.hook;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.Delivered;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.TransferId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CompletionHookIT {
    private final List<String> notices = new ArrayList<>();

    @TempDir
    private Path directory;

    private boolean run(String command, Duration limit, String name) {
        Receipt receipt = new Receipt(
                new TransferId(1, 2),
                "t",
                "s",
                "a",
                Receipt.Outcome.DELIVERED,
                3,
                "0".repeat(64),
                name,
                0,
                "",
                Optional.empty());
        return new CompletionHook(HookCommand.parse(command), limit, notices::add)
                .run(new Delivered(receipt, name, directory.resolve(name), 0, 0, 0, 0));
    }

    @Test
    void shouldGiveArgumentsAndEnvironmentWhenTransferIsDelivered() throws IOException {
        // given
        Path out = directory.resolve("out");

        // when
        boolean done = run(
                "/bin/sh -c 'printf \"%s|%s|%s\" \"$1\" \"$LONGHAUL_NAME\" \"$LONGHAUL_BYTES\" > " + out + "' sh",
                Duration.ofSeconds(20),
                "a; rm -rf $HOME 'b'");

        // then
        assertThat(done).isTrue();
        assertThat(notices).isEmpty();
        assertThat(Files.readString(out))
                .isEqualTo(directory.resolve("a; rm -rf $HOME 'b'") + "|a; rm -rf $HOME 'b'|3");
    }

    @Test
    void shouldTellExitCodeWhenProgramFails() {
        // when
        boolean done = run("/bin/sh -c 'exit 3'", Duration.ofSeconds(20), "x");

        // then
        assertThat(done).isFalse();
        assertThat(notices).singleElement().asString().contains("ended with exit code 3");
    }

    @Test
    void shouldKillProgramWhenItTakesTooLong() {
        // when
        boolean done = run("/bin/sh -c 'sleep 600'", Duration.ofMillis(200), "x");

        // then
        assertThat(done).isFalse();
        assertThat(notices).singleElement().asString().contains("stopped after");
    }

    @Test
    void shouldTellWhenProgramIsMissing() {
        // when
        boolean done = run("/no/such/program", Duration.ofSeconds(20), "x");

        // then
        assertThat(done).isFalse();
        assertThat(notices).singleElement().asString().contains("could not be started");
    }
}
