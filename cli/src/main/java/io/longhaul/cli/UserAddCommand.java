package io.longhaul.cli;

import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.FileRights;
import io.longhaul.broker.users.FileRights.PathRight;
import io.longhaul.broker.users.FileRights.Right;
import io.longhaul.broker.users.TopicPattern;
import io.longhaul.broker.users.UsersFile;
import io.longhaul.cli.option.LimitText;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.Shown;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code longhaul user add}. */
@Command(
        name = "add",
        header = "Add a user to a users file, or replace one of the same name with all rights.",
        description = {
            NewPassword.HELP
                    + " Patterns are topics whose words may be *, for one word, or # at the end, for any number of"
                    + " words."
        },
        footer = {
            "",
            "Example:",
            "  longhaul user add users.yaml alice --publish 'climate.*' --subscribe '#' \\",
            "      --password-file alice.secret",
            "  longhaul user add users.yaml ann --root /home/ann --read-path / --write-path /in"
        })
final class UserAddCommand implements Callable<Integer>, StopsAtOnce {
    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Parameters(index = "0", paramLabel = "FILE", description = "The users file; made when there is none.")
    private Path file = Path.of("");

    @Parameters(index = "1", paramLabel = "NAME", description = "The user's name.")
    private String name = "";

    @Option(
            names = "--publish",
            paramLabel = "PATTERN",
            description = "Topics that the user may publish to; may be given several times. Default: none.")
    private List<String> publish = new ArrayList<>();

    @Option(
            names = "--subscribe",
            paramLabel = "PATTERN",
            description = "Topics that the user may subscribe to; may be given several times. Default: none.")
    private List<String> subscribe = new ArrayList<>();

    @Option(
            names = "--link",
            description = "The user is a broker that may link to this one, for agents with the topics above.")
    private boolean link;

    @Option(
            names = "--operate",
            description = "The user is an operator, who may take sites out of the network (longhaul topology remove).")
    private boolean operate;

    @Option(
            names = "--root",
            paramLabel = "/PATH",
            description = "What is the user's / at a door such as 'longhaul bridge front'. Default: /.")
    private String root = FileRights.ALL.root();

    @Option(
            names = "--read-path",
            paramLabel = "/PATH",
            description = {
                "There the user may read what is at this path and below it; may be given several times, the longest path"
                        + " decides. Default, without --write-path too: the user may read and write everything."
            })
    private List<String> readPaths = new ArrayList<>();

    @Option(names = "--write-path", paramLabel = "/PATH", description = "As --read-path, and write as well.")
    private List<String> writePaths = new ArrayList<>();

    @Option(
            names = "--limit",
            paramLabel = "KEY=N[,...]",
            converter = LimitText.Converter.class,
            description =
                    "What the user may use of a broker, like rate=50MiB,transfers=4,backlog=10GiB,pieces=200; may be"
                            + " given several times. Default: what the broker says for every user.")
    private List<LimitText> limits = new ArrayList<>();

    @Mixin
    private NewPassword password = new NewPassword();

    UserAddCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Console console = common.console(environment);
        List<TopicPattern> mayPublish = publish.stream().map(TopicPattern::new).toList();
        List<TopicPattern> maySubscribe =
                subscribe.stream().map(TopicPattern::new).toList();
        FileRights files = files();
        Account account = new Account(
                name,
                password.hash(name, environment),
                mayPublish,
                maySubscribe,
                link,
                operate,
                files,
                limits.isEmpty() ? Optional.empty() : Optional.of(LimitOptions.sum("--limit", limits)));
        boolean replaced = UsersFile.change(file, users -> users.with(account))
                .account(name)
                .isPresent();
        console.result(
                (replaced ? "replaced" : "added") + " user " + name + " in " + Shown.escaped(file.toString()),
                UserLines.json(file, account).with("replaced", replaced));
        return ExitCodes.OK;
    }

    private FileRights files() {
        List<PathRight> paths = new ArrayList<>();
        readPaths.forEach(path -> paths.add(new PathRight(path, Right.READ)));
        writePaths.forEach(path -> paths.add(new PathRight(path, Right.WRITE)));
        return new FileRights(root, paths.isEmpty() ? Optional.empty() : Optional.of(paths));
    }
}
