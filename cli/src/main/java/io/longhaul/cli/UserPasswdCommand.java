package io.longhaul.cli;

import io.longhaul.broker.users.PasswordHash;
import io.longhaul.cli.terminal.Shown;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
final class UserPasswdCommand implements Callable<Integer>, StopsAtOnce {
    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private KnownUser user = new KnownUser();

    @Mixin
    private NewPassword password = new NewPassword();

    UserPasswdCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        user.require(); // nobody is to type a password in vain
        PasswordHash hash = password.hash(user.name(), environment);
        user.change((users, account) -> users.with(account.withPassword(hash)));
        common.console(environment)
                .result(
                        "changed the password of user " + user.name() + " in "
                                + Shown.escaped(user.file().toString()),
                        user.json().with("passwordChanged", true));
        return ExitCodes.OK;
    }
}
