package io.longhaul.cli;

import io.longhaul.cli.option.OptionValue;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.Shown;
import io.longhaul.storage.RealPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code longhaul quickstart}. */
@Command(
        name = "quickstart",
        header = "Try everything at once: a broker, a publisher and three subscribers in one process.",
        description = {
            "Publishes FILE to a topic with three subscribers, compares what each got with what was sent, and says what"
                    + " happened and where. Needs no network and no other process. Each run replaces what the last one left, and"
                    + " is refused where there is something else."
        },
        footer = {"", "Example:", "  longhaul quickstart", "  longhaul quickstart /path/to/a/big.file"})
final class QuickstartCommand implements Callable<Integer> {
    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "File or directory to publish. Default: a generated file of 64 MiB.")
    private @Nullable Path source;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Where the delivered files go. Default: ~/.local/state/longhaul/quickstart.")
    private @Nullable Path directory;

    QuickstartCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Console console = common.console(environment);
        Path place = OptionValue.directory(
                "--dir", directory != null ? directory : environment.state().quickstart());
        Optional<Path> given = Optional.ofNullable(source).map(path -> existing(path, place));
        try (QuickstartPlace ready = QuickstartPlace.prepare(place)) {
            return new Quickstart(environment, console, ready).run(given);
        }
    }

    /** Looked at before the place is emptied: a command that is refused changes nothing. */
    private static Path existing(Path source, Path place) {
        Path path = RealPath.withoutDots(source);
        if (!Files.exists(path)) {
            throw new IllegalArgumentException("no such file or directory: " + Shown.quoted(path.toString()));
        }
        PublishSources.requireContent(path, Shown.quoted(path.toString()));
        QuickstartPlace.requireApart(path, place);
        return path;
    }
}
