package io.longhaul.cli;

import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.wire.Names;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code longhaul unsubscribe}. */
@Command(
        name = "unsubscribe",
        header = "End a durable subscription.",
        description =
                "Removes the subscription with what waits for it at the broker. Refused when there is none of the name."
                        + " Files that were delivered stay, parts of others are removed. Stop the"
                        + " process that serves it first.",
        footer = {"", "Example:", "  longhaul unsubscribe climate.daily --name mirror-1 --broker 127.0.0.1:7400"})
final class UnsubscribeCommand implements Callable<Integer> {
    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Parameters(paramLabel = "TOPIC", description = "The topic.")
    private String topic = "";

    @Option(names = "--name", required = true, paramLabel = "NAME", description = "The subscription's name.")
    private String name = "";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Data directory of the subscriber. Default: NAME under ~/.local/state/longhaul.")
    private @Nullable Path data;

    UnsubscribeCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Console console = common.console(environment);
        Names.topic(topic);
        Names.subscription(name);
        Path directory = data != null ? data : environment.state().ofAgent(name);
        AgentSession session = AgentSession.open(
                connection.config(name, directory, Optional.empty(), environment), environment, console);
        try {
            environment.unlessStopped("interrupted before the broker had confirmed", () -> {
                session.agent().unsubscribe(topic, name);
                return name;
            });
        } finally {
            // closes it, too; a data directory that was made only for this is of no use to anybody
            session.abandon();
        }
        console.result(
                "unsubscribed " + name + " from " + topic,
                JsonLine.of("unsubscribed").with("topic", topic).with("name", name));
        return ExitCodes.OK;
    }
}
