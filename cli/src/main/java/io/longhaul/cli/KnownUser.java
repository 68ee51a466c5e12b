package io.longhaul.cli;

import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.UsersFile;
import io.longhaul.cli.option.NearestKey;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.wire.Names;
import java.nio.file.Path;
import java.util.function.BiFunction;
import picocli.CommandLine.Parameters;

/** The user of a users file that a command changes, who must be there already. */
final class KnownUser {
    @Parameters(index = "0", paramLabel = "FILE", description = "The users file.")
    private Path file = Path.of("");

    @Parameters(index = "1", paramLabel = "NAME", description = "The user's name.")
    private String name = "";

    String name() {
        return name;
    }

    Path file() {
        return file;
    }

    /** Throws {@link IllegalArgumentException} when there is no such user now. */
    void require() {
        account(UsersFile.read(file));
    }

    /** Changes the file by what this makes of the users and the account, which is looked for again. */
    void change(BiFunction<UsersFile, Account, UsersFile> change) {
        UsersFile.change(file, users -> change.apply(users, account(users)));
    }

    private Account account(UsersFile users) {
        return users.account(name)
                .orElseThrow(() -> new IllegalArgumentException("users file " + file + ": expected a user "
                        + Names.shown(name) + ", found none"
                        + NearestKey.of(name, users.names())
                                .map(near -> "; the nearest is " + near)
                                .orElse("")));
    }

    /** Returns what a result begins with. */
    JsonLine json() {
        return JsonLine.of("user").with("name", name).with("file", file.toString());
    }
}
