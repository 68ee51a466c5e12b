package io.longhaul.cli;

import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.LogForm;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command. */
final class CommonOptions {
    @Option(names = "--json", description = "Print results as JSON, one object a line.")
    boolean json;

    @Option(
            names = {"-q", "--quiet"},
            description = "No progress and no notices on standard error, only errors.")
    boolean quiet;

    @Option(
            names = {"-v", "--verbose"},
            description = "Log more to standard error.")
    boolean verbose;

    @Option(names = "--debug", description = "Log much more, with stack traces.")
    boolean debug;

    @Option(
            names = "--log",
            paramLabel = "text|json",
            description = "How logs, notices and failures are written to standard error: for people, or as JSON, one"
                    + " object a line. Default: text.")
    LogForm log = LogForm.TEXT;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "YAML file with options of this command: the long names without dashes, one 'key: value' a line. The"
                            + " command line wins.")
    @Nullable
    Path config;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    /** Returns the console of a command with these options. */
    Console console(Environment environment) {
        return new Console(
                environment.streams().out(),
                environment.streams().err(),
                environment.screen(),
                environment.nanoTime(),
                json,
                quiet,
                log);
    }
}
