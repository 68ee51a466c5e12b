package io.longhaul.cli;

import io.longhaul.broker.users.UsersFile;
import io.longhaul.cli.terminal.Console;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code longhaul user list}. */
@Command(
        name = "list",
        header = "Show the users of a users file and what they may do.",
        description =
                "One line for each user. A file that a broker could not read is an error that names what is wrong.",
        footer = {"", "Example:", "  longhaul user list users.yaml"})
final class UserListCommand implements Callable<Integer>, StopsAtOnce {
    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Parameters(index = "0", paramLabel = "FILE", description = "The users file.")
    private Path file = Path.of("");

    UserListCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Console console = common.console(environment);
        UsersFile users = UsersFile.read(file);
        users.names().stream()
                .sorted()
                .map(users::account)
                .flatMap(Optional::stream)
                .forEach(account -> console.result(UserLines.text(account), UserLines.json(file, account)));
        return ExitCodes.OK;
    }
}
