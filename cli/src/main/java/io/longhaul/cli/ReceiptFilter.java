package io.longhaul.cli;

import io.longhaul.agent.control.ReceiptSelection;
import io.longhaul.cli.option.Since;
import io.longhaul.wire.Names;
import io.longhaul.wire.TransferId;
import io.longhaul.wire.WireException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which receipts a command shows: those that all options given allow. */
final class ReceiptFilter {
    @Option(names = "--topic", paramLabel = "TOPIC", description = "Only receipts of this topic.")
    private @Nullable String topic;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Only receipts of files published or delivered under this name; * stands for any characters.")
    private @Nullable String name;

    @Option(names = "--subscription", paramLabel = "NAME", description = "Only receipts of this subscription.")
    private @Nullable String subscription;

    @Option(names = "--transfer", paramLabel = "ID", description = "Only receipts of this transfer.")
    private @Nullable String transfer;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            converter = Since.Converter.class,
            description = "Only receipts of this time or later, by the subscriber's clock: 24h, 2026-11-01,"
                    + " 2026-11-01T06:00:00Z.")
    private @Nullable Since since;

    @Option(
            names = "--until",
            paramLabel = "TIME",
            converter = Since.Converter.class,
            description = "Only receipts from before this time.")
    private @Nullable Since until;

    /** Throws {@link WireException} for what no receipt can have, so that a slip does not look like there being none. */
    void check() {
        if (transfer != null) {
            TransferId.parse(transfer);
        }
        if (topic != null) {
            Names.topic(topic);
        }
        if (subscription != null) {
            Names.subscription(subscription);
        }
    }

    /** Returns what is asked for, durations counted back from now. */
    ReceiptSelection selection(Instant now) {
        return new ReceiptSelection(
                Optional.ofNullable(topic),
                Optional.ofNullable(name),
                Optional.ofNullable(subscription),
                Optional.ofNullable(transfer),
                Optional.ofNullable(since).map(time -> time.from(now)),
                Optional.ofNullable(until).map(time -> time.from(now)));
    }
}
