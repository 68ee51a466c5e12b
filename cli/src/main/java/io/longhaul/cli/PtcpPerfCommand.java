package io.longhaul.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code longhaul ptcp-perf}: only the commands below it do something. */
@Command(
        name = "ptcp-perf",
        header = "Measure a link with parallel TCP.",
        description =
                "Start the server at one end and the client at the other: test bytes flow over the same streams that"
                        + " agents and brokers use, and the rate is what the receiver got.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Example:",
            "  longhaul ptcp-perf server --listen 127.0.0.1:7450 &",
            "  longhaul ptcp-perf client 127.0.0.1:7450 --streams 4"
        })
final class PtcpPerfCommand {
    @Mixin
    CommonOptions common = new CommonOptions();
}
