package io.longhaul.cli;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Publication;
import io.longhaul.cli.state.ControlClient;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code longhaul cancel}. */
@Command(
        name = "cancel",
        header = "Give an unfinished publication up.",
        description =
                "Subscribers discard what they have of it, and get nothing of what waits for them; those that have it whole"
                        + " keep it. When a process has the data"
                        + " directory open, that one is told; otherwise this command tells the broker that was used last.",
        footer = {"", "Example:", "  longhaul cancel 0191f5c2a7e04b1d9c3e5a7b1d2f4c6e --data /srv/publisher"})
final class CancelCommand implements Callable<Integer> {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Parameters(
            paramLabel = "ID",
            description = "The transfer, 32 hexadecimal digits, as 'longhaul transfers' shows it.")
    private String id = "";

    @Option(names = "--data", required = true, paramLabel = "DIR", description = "Data directory of the publisher.")
    private Path data = Path.of("");

    CancelCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Console console = common.console(environment);
        LedgerTransfer.find(id, data, new LedgerView(environment, console::say)).checkGoesOn();
        if (ControlClient.ask(data, "cancel", Optional.of(id)).isEmpty()) {
            cancelHere(console);
        }
        console.result("cancelled " + id, JsonLine.of("cancelled").with("transfer", id));
        return ExitCodes.OK;
    }

    private void cancelHere(Console console) {
        try (AgentSession session =
                AgentSession.open(connection.configOfNote(data, Optional.empty(), environment), environment, console)) {
            Publication publication = session.agent()
                    .publication(id)
                    .orElseThrow(() -> new AgentException(
                            AgentException.Code.REFUSED, "transfer " + id + " has nothing left to cancel in " + data));
            publication.cancel();
            if (environment.stop().await(publication.result(), PATIENCE_NS) != StopSignal.Cause.DONE) {
                throw new AgentException(
                        AgentException.Code.INTERRUPTED, "transfer " + id + ": the broker has not confirmed in time");
            }
        }
    }
}
