package io.longhaul.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code longhaul user}: only the commands below it do something. */
@Command(
        name = "user",
        header = "Manage the users of a broker.",
        description =
                "The file holds names, hashed passwords and rights; a running broker reads it again when it changes. It may"
                        + " be edited by hand as well, but comments in it are gone after the next of these commands.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Example:",
            "  longhaul user add users.yaml alice --publish 'climate.*' --subscribe '#'",
            "  longhaul broker --name site-a --data /srv/broker --users users.yaml"
        })
final class UserCommand {
    @Mixin
    CommonOptions common = new CommonOptions();
}
