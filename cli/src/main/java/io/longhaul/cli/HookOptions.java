package io.longhaul.cli;

import io.longhaul.cli.hook.CompletionHook;
import io.longhaul.cli.hook.HookCommand;
import io.longhaul.cli.option.TimeSpan;
import io.longhaul.cli.terminal.Console;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What to run for every delivered transfer. */
final class HookOptions {
    @Option(
            names = "--on-complete",
            paramLabel = "CMD",
            description =
                    "Program to run for every delivered transfer once its receipt is in the network; at least once. Split at"
                            + " blanks, quotes group, no shell. {path} {name} {digest} {transfer} {topic} {bytes} are replaced;"
                            + " without {path} the path is the last argument. Also in LONGHAUL_PATH and so on. Default: none.")
    @Nullable
    String command;

    @Option(
            names = "--on-complete-timeout",
            paramLabel = "TIME",
            converter = TimeSpan.class,
            description = "Longest run of that program; then it is killed. Default: 60s.")
    Duration timeout = Duration.ofSeconds(60);

    /** Returns the hook, if there is one; a usage error when it cannot be split or has no time to run. */
    Optional<CompletionHook> hook(Console console) {
        if (timeout.isZero()) {
            throw new IllegalArgumentException("--on-complete-timeout: expected more than 0, found 0s");
        }
        if (command == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new CompletionHook(HookCommand.parse(command), timeout, line -> console.warn("longhaul: " + line)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--on-complete: " + e.getMessage(), e);
        }
    }
}
