package io.longhaul.cli;

import io.longhaul.agent.AgentConfig;
import io.longhaul.agent.AgentException;
import io.longhaul.cli.state.ControlClient;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code longhaul cancel}. */
@Command(
        name = "cancel",
        header = "Give an unfinished transfer up.",
        description = {
            "Of a publication, subscribers discard what they have, and get nothing of what waits for them; those that have it"
                    + " whole keep it.",
            "Of what is coming in, this subscriber discards what it has, drops what still comes, and says so to the"
                    + " publisher with a receipt that it failed; the other subscribers go on.",
            "When a process has the data directory open, that one is told. Otherwise this command tells the broker that"
                    + " was used last; of what was coming in it notes it, and the receipt goes out when the subscription"
                    + " is served again."
        },
        footer = {"", "Example:", "  longhaul cancel 0191f5c2a7e04b1d9c3e5a7b1d2f4c6e --data /srv/publisher"})
final class CancelCommand implements Callable<Integer> {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Parameters(
            paramLabel = "ID",
            description = "The transfer, 32 hexadecimal digits, as 'longhaul transfers' shows it.")
    private String id = "";

    @Option(names = "--data", required = true, paramLabel = "DIR", description = "Data directory of the agent.")
    private Path data = Path.of("");

    CancelCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Console console = common.console(environment);
        LedgerTransfer transfer = LedgerTransfer.find(id, data, new LedgerView(environment, console::say));
        transfer.checkUnfinished();
        String stopped =
                "transfer " + id + ": the process that has it has not confirmed yet; it may be cancelled all the same";
        if (environment
                .unlessStopped(stopped, () -> ControlClient.ask(data, "cancel", Optional.of(id)))
                .isEmpty()) {
            cancelHere(console, transfer.isIncoming());
        }
        console.result("cancelled " + id, JsonLine.of("cancelled").with("transfer", id));
        return ExitCodes.OK;
    }

    private void cancelHere(Console console, boolean incoming) {
        AgentConfig config = connection.configOfNote(data, Optional.empty(), environment, console);
        try (AgentSession session =
                AgentSession.open(incoming ? config.withOffline(true) : config, environment, console)) {
            CompletableFuture<Void> cancelled =
                    CompletableFuture.runAsync(() -> session.agent().cancel(id), environment.threads());
            if (environment.stop().await(cancelled, PATIENCE_NS) != StopSignal.Cause.DONE) {
                throw new AgentException(
                        AgentException.Code.INTERRUPTED, "transfer " + id + ": the broker has not confirmed in time");
            }
            cancelled.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }
}
