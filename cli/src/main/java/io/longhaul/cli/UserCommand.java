package io.longhaul.cli;

import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.UsersFile;
import io.longhaul.cli.option.NearestKey;
import io.longhaul.wire.Names;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code longhaul user}: only the commands below it do something. */
@Command(
        name = "user",
        header = "Manage the users of a broker.",
        description =
                "The file holds names, hashed passwords and rights; a running broker reads it again when it changes. It may"
                        + " be edited by hand as well, but comments in it are gone after the next of these commands.",
        synopsisSubcommandLabel = "COMMAND")
final class UserCommand {
    @Mixin
    CommonOptions common = new CommonOptions();

    /** Returns a user's account; throws {@link IllegalArgumentException} when there is none. */
    static Account known(UsersFile users, String name, Path file) {
        return users.account(name)
                .orElseThrow(() -> new IllegalArgumentException("users file " + file + ": expected a user "
                        + Names.shown(name) + ", found none"
                        + NearestKey.of(name, users.names())
                                .map(near -> "; the nearest is " + near)
                                .orElse("")));
    }
}
