package io.longhaul.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code longhaul bridge}: only the commands below it do something. */
@Command(
        name = "bridge",
        header = "Serve GridFTP and FTP clients.",
        description = {
            "Unmodified clients talk to a front as they would to a GridFTP server. What it shows them are endpoints of the"
                    + " network, each served by a back beside its server; transfers go on when any of them is killed."
        },
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Example:",
            "  longhaul bridge front --listen 127.0.0.1:2811 --mount /data=file:///srv/data",
            "  globus-url-copy -p 4 file:///tmp/rain.nc ftp://127.0.0.1:2811/data/rain.nc"
        })
final class BridgeCommand {
    @Mixin
    CommonOptions common = new CommonOptions();
}
