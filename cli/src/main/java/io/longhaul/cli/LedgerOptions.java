package io.longhaul.cli;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which ledgers a command lists. */
final class LedgerOptions {
    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Data directory of an agent. Default: all under ~/.local/state/longhaul.")
    private @Nullable Path data;

    /** Returns the one directory that was named; empty for all. */
    Optional<Path> data() {
        return Optional.ofNullable(data);
    }
}
