package io.longhaul.cli;

import io.longhaul.cli.terminal.Shown;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code longhaul user remove}. */
@Command(
        name = "remove",
        header = "Remove a user from a users file.",
        description = "A running broker ends the user's connections within seconds. What waits at it for the user's"
                + " subscriptions stays: 'longhaul unsubscribe' removes those.",
        footer = {"", "Example:", "  longhaul user remove users.yaml alice"})
final class UserRemoveCommand implements Callable<Integer>, StopsAtOnce {
    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private KnownUser user = new KnownUser();

    UserRemoveCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        user.require();
        user.change((users, account) -> users.without(account.name()));
        common.console(environment)
                .result(
                        "removed user " + user.name() + " from "
                                + Shown.escaped(user.file().toString()),
                        user.json().with("removed", true));
        return ExitCodes.OK;
    }
}
