package io.longhaul.cli;

import io.longhaul.agent.AgentConfig;
import io.longhaul.agent.AgentException;
import io.longhaul.agent.Publication;
import io.longhaul.cli.option.TimeSpan;
import io.longhaul.cli.state.ControlClient;
import io.longhaul.cli.terminal.Console;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code longhaul resume}. */
@Command(
        name = "resume",
        header = "Go on with an unfinished publication.",
        description =
                "When a process has the data directory open, that one goes on by itself and this command is refused;"
                        + " otherwise this command goes on, through the broker that was used last. Incoming transfers go on"
                        + " when their subscription is served again.",
        footer = {"", "Example:", "  longhaul resume 0191f5c2a7e04b1d9c3e5a7b1d2f4c6e --data /srv/publisher"})
final class ResumeCommand implements Callable<Integer> {
    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private FloorOptions floor = new FloorOptions();

    @Mixin
    private SpoolOptions spoolLimit = new SpoolOptions();

    @Parameters(
            paramLabel = "ID",
            description = "The transfer, 32 hexadecimal digits, as 'longhaul transfers' shows it.")
    private String id = "";

    @Option(names = "--data", required = true, paramLabel = "DIR", description = "Data directory of the publisher.")
    private Path data = Path.of("");

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = TimeSpan.class,
            description =
                    "Give up after this time: exit code 6, or 3 when the broker was never reached. Default: never.")
    private @Nullable Duration timeout;

    ResumeCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Console console = common.console(environment);
        LedgerTransfer transfer = LedgerTransfer.find(id, data, new LedgerView(environment, console::say));
        transfer.checkGoesOn();
        // refused by a process that has it open
        environment.unlessStopped("interrupted", () -> ControlClient.ask(data, "resume", Optional.of(id)));
        Deadline deadline = Deadline.in(Optional.ofNullable(timeout), environment.nanoTime());
        AgentConfig config = connection.configOfNote(data, Optional.ofNullable(timeout), environment, console);
        try (AgentSession session =
                AgentSession.open(spoolLimit.applyTo(floor.applyTo(config)), environment, console)) {
            return goOn(session, transfer.topic(), console, deadline);
        }
    }

    private int goOn(AgentSession session, String topic, Console console, Deadline deadline) {
        Publication publication = session.agent()
                .resume(id)
                .orElseThrow(() -> new AgentException(
                        AgentException.Code.REFUSED, "transfer " + id + " has nothing left to do in " + data));
        Publications publications = new Publications(session.agent(), console, topic, environment.threads());
        publications.add(publication);
        StopSignal.Cause cause = ProgressTicker.during(
                environment,
                console,
                publications::progress,
                () -> publications.run(List.of(), environment.stop(), deadline));
        publications.collectCompleted();
        return publications.end(cause, data);
    }
}
