package io.longhaul.cli;

import io.longhaul.broker.users.UsersFile;
import io.longhaul.cli.terminal.JsonLine;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code longhaul user remove}. */
@Command(
        name = "remove",
        header = "Remove a user from a users file.",
        description = "A running broker ends the user's connections within seconds. What waits at it for the user's"
                + " subscriptions stays: 'longhaul unsubscribe' removes those.",
        footer = {"", "Example:", "  longhaul user remove users.yaml alice"})
final class UserRemoveCommand implements Callable<Integer> {
    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Parameters(index = "0", paramLabel = "FILE", description = "The users file.")
    private Path file = Path.of("");

    @Parameters(index = "1", paramLabel = "NAME", description = "The user's name.")
    private String name = "";

    UserRemoveCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        UserCommand.known(UsersFile.read(file), name, file);
        UsersFile.change(file, users -> {
            UserCommand.known(users, name, file);
            return users.without(name);
        });
        common.console(environment)
                .result(
                        "removed user " + name + " from " + file,
                        JsonLine.of("user")
                                .with("name", name)
                                .with("file", file.toString())
                                .with("removed", true));
        return ExitCodes.OK;
    }
}
