package io.longhaul.cli;

import io.longhaul.agent.AgentConfig;
import io.longhaul.agent.AgentException;
import io.longhaul.agent.ExistingPolicy;
import io.longhaul.agent.Progress;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.agent.Subscription;
import io.longhaul.cli.option.OptionValue;
import io.longhaul.cli.option.Since;
import io.longhaul.cli.option.TimeSpan;
import io.longhaul.cli.terminal.Amounts;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.storage.RealPath;
import io.longhaul.wire.Names;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code longhaul subscribe}. */
@Command(
        name = "subscribe",
        header = "Receive the files of a topic.",
        description = {
            "Claims the durable subscription NAME: from its first start on it gets every file that is published to TOPIC,"
                    + " also what is published while it is away. Prints one line for each transfer that has ended. Files"
                    + " appear in --into whole and verified or not at all."
        },
        footer = {
            "",
            "Example:",
            "  longhaul subscribe climate.daily --name mirror-1 --into /srv/climate --broker 127.0.0.1:7400",
            "",
            "'longhaul unsubscribe' ends the subscription; stopping this command does not."
        })
final class SubscribeCommand implements Callable<Integer> {
    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private FloorOptions floor = new FloorOptions();

    @Mixin
    private HookOptions hook = new HookOptions();

    @Parameters(paramLabel = "TOPIC", description = "The topic.")
    private String topic = "";

    @Option(
            names = "--name",
            required = true,
            paramLabel = "NAME",
            description = "The subscription's name, the same at every start; one process at a time.")
    private String name = "";

    @Option(names = "--into", required = true, paramLabel = "DIR", description = "Where the files appear.")
    private Path into = Path.of("");

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "Ledger of this subscriber; one process at a time. Default: NAME under ~/.local/state/longhaul.")
    private @Nullable Path data;

    @Option(
            names = "--count",
            paramLabel = "K",
            description = "End after K transfers, counted from this start on. Default: serve until stopped.")
    private @Nullable Integer count;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = TimeSpan.class,
            description =
                    "End after this time; exit code 6 when --count was not reached, a transfer is unfinished, or no"
                            + " archive has answered a --since. Default: never.")
    private @Nullable Duration timeout;

    @Option(
            names = "--existing",
            paramLabel = "replace|keep|rename",
            description = "When something of the name exists: replace it, a directory with all that is in it, too;"
                    + " keep it; or rename the new one to NAME~1. Default: replace.")
    private ExistingPolicy existing = ExistingPolicy.REPLACE;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            converter = Since.Converter.class,
            description =
                    "Also get what an archive of the topic ('longhaul agent --archive') has had since then: 24h (before"
                            + " the first start with it, until all of that has come), 2026-11-01, 2026-11-01T06:00:00Z, or"
                            + " all. Default: only what is published from the first start on.")
    private @Nullable Since since;

    SubscribeCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Console console = common.console(environment);
        Deadline deadline = Deadline.in(Optional.ofNullable(timeout), environment.nanoTime());
        Names.topic(topic);
        Names.subscription(name);
        if (count != null && count < 1) {
            throw new IllegalArgumentException("--count: expected 1 or more, found " + count);
        }
        OptionValue.directory("--into", into);
        Deliveries deliveries = new Deliveries(console, hook.hook(console), count == null ? 0 : count);
        Path directory = data != null ? data : environment.state().ofAgent(name);
        AgentConfig config = connection.config(name, directory, Optional.ofNullable(timeout), environment);
        try (AgentSession session = AgentSession.open(floor.applyTo(config), environment, console)) {
            return serve(session, deliveries, console, deadline);
        }
    }

    private int serve(AgentSession session, Deliveries deliveries, Console console, Deadline deadline) {
        Subscription subscription = subscribed(session, deliveries, deadline);
        StopSignal.Cause cause;
        try (subscription) {
            ready(console);
            CompletableFuture<?> end = CompletableFuture.anyOf(deliveries.reached(), subscription.closed());
            cause = ProgressTicker.during(
                    environment,
                    console,
                    subscription::progress,
                    () -> environment.stop().await(end, deadline.remainingNs()));
            Ending.throwIfFailed(subscription.closed());
        }
        if (cause == StopSignal.Cause.DONE) {
            return deliveries.exitCode();
        }
        // looked at last: what came while it was closing is unfinished, too
        List<Progress> unfinished = subscription.progress();
        boolean late = !subscription.hasCaughtUp();
        if (late || count != null && !deliveries.reached().isDone() || !unfinished.isEmpty()) {
            console.warn("longhaul: " + (cause == StopSignal.Cause.STOPPED ? "interrupted" : "timed out") + " with "
                    + Amounts.count(unfinished.size(), "transfer") + " unfinished"
                    + (count != null ? " before " + count + " had ended" : "")
                    + (late ? ", before archives had told what they retain" : "") + "; the same command goes on");
            return ExitCodes.INTERRUPTED;
        }
        return deliveries.exitCode();
    }

    private Subscription subscribed(AgentSession session, Deliveries deliveries, Deadline deadline) {
        try {
            SubscribeRequest request =
                    SubscribeRequest.of(topic, name, RealPath.withoutDots(into)).withExisting(existing);
            return session.subscribe(
                    since == null ? request : catchingUp(request, since), deliveries, deadline.remainingNs());
        } catch (AgentException e) {
            if (AgentSession.isFinal(e)) {
                session.abandon();
            }
            throw e;
        }
    }

    /** A duration stays one: it counts from the first start. */
    private static SubscribeRequest catchingUp(SubscribeRequest request, Since since) {
        return since.ago().map(request::withSinceAgo).orElseGet(() -> request.withSince(since.from(Instant.now())));
    }

    private void ready(Console console) {
        console.event(JsonLine.of("ready")
                .with("command", "subscribe")
                .with("topic", topic)
                .with("name", name)
                .with("into", RealPath.withoutDots(into).toString())
                .with("pid", ProcessHandle.current().pid()));
        console.say(
                "longhaul: subscribed to " + topic + " as " + name + "; files appear in " + RealPath.withoutDots(into));
    }
}
