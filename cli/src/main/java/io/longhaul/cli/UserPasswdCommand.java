package io.longhaul.cli;

import io.longhaul.broker.users.PasswordHash;
import io.longhaul.broker.users.UsersFile;
import io.longhaul.cli.terminal.JsonLine;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code longhaul user passwd}. */
@Command(
        name = "passwd",
        header = "Give a user of a users file another password; rights and limits stay.",
        description = {
            NewPassword.HELP
                    + " A running broker ends the user's connections within seconds; whoever has the new password may"
                    + " connect again."
        },
        footer = {"", "Example:", "  longhaul user passwd users.yaml alice --password-file alice.secret"})
final class UserPasswdCommand implements Callable<Integer> {
    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Parameters(index = "0", paramLabel = "FILE", description = "The users file.")
    private Path file = Path.of("");

    @Parameters(index = "1", paramLabel = "NAME", description = "The user's name.")
    private String name = "";

    @Mixin
    private NewPassword password = new NewPassword();

    UserPasswdCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        UserCommand.known(UsersFile.read(file), name, file); // nobody is to type a password in vain
        PasswordHash hash = password.hash(name, environment);
        UsersFile.change(
                file, users -> users.with(UserCommand.known(users, name, file).withPassword(hash)));
        common.console(environment)
                .result(
                        "changed the password of user " + name + " in " + file,
                        JsonLine.of("user")
                                .with("name", name)
                                .with("file", file.toString())
                                .with("passwordChanged", true));
        return ExitCodes.OK;
    }
}
