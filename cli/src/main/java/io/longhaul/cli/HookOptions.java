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
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

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
    private @Nullable Duration timeout;

    /** Returns the hook, if there is one; a usage error when it cannot be split, has no time to run, or only that. */
    Optional<CompletionHook> hook(Console console) {
        if (timeout != null && timeout.isZero()) {
            throw new IllegalArgumentException("--on-complete-timeout: expected more than 0, found 0s");
        }
        if (command == null) {
            if (timeout != null) {
                throw new IllegalArgumentException("--on-complete-timeout goes with --on-complete CMD");
            }
            return Optional.empty();
        }
        Duration longest = timeout == null ? DEFAULT_TIMEOUT : timeout;
        try {
            return Optional.of(
                    new CompletionHook(HookCommand.parse(command), longest, line -> console.warn("longhaul: " + line)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--on-complete: " + e.getMessage(), e);
        }
    }
}
