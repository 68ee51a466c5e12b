package io.longhaul.cli;

import io.longhaul.broker.BrokerConfig;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a broker is one of a pair. */
final class PairOptions {
    @Option(
            names = "--backup-of",
            paramLabel = "HOST:PORT",
            description =
                    "Another broker of the same name that this one is the backup of: it keeps a copy of all that the"
                            + " other one has. Takes what --link takes. Both have the same --link-user. Default: none.")
    private @Nullable String backupOf;

    @Option(
            names = "--backup",
            paramLabel = "HOST:PORT",
            description =
                    "The broker that is this one's backup; may be away. Acknowledges what both have while it is in"
                            + " sync. Default: none.")
    private @Nullable String backup;

    @Option(
            names = "--witness",
            paramLabel = "HOST:PORT",
            description =
                    "Any third broker: decides which one of the pair lives. Both name the same. Without it the backup"
                            + " takes over on --take-over only. Default: none.")
    private @Nullable String witness;

    @Option(
            names = "--take-over",
            description =
                    "Live, because the other one of the pair does not and will not: an operator's word. What the other"
                            + " one acknowledged alone is lost then.")
    private boolean takeOver;

    Optional<BrokerConfig.Pairing> pairing() {
        String partner = backup != null ? backup : backupOf;
        if (partner == null) {
            if (witness != null || takeOver) {
                throw new IllegalArgumentException((takeOver ? "--take-over" : "--witness")
                        + " goes with --backup HOST:PORT or --backup-of HOST:PORT");
            }
            return Optional.empty();
        }
        if (backup != null && backupOf != null) {
            throw new IllegalArgumentException(
                    "--backup and --backup-of: expected one of them, found both (a pair takes turns by itself)");
        }
        return Optional.of(new BrokerConfig.Pairing(partner, backup == null, Optional.ofNullable(witness), takeOver));
    }
}
