package io.longhaul.cli;

import io.longhaul.agent.AgentConfig;
import io.longhaul.agent.ExistingPolicy;
import io.longhaul.agent.Retention;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.cli.hook.CompletionHook;
import io.longhaul.cli.option.OptionValue;
import io.longhaul.cli.option.TimeSpan;
import io.longhaul.cli.option.TopicDirectory;
import io.longhaul.cli.option.TopicRetention;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.watch.WatchLoops;
import io.longhaul.storage.RealPath;
import io.longhaul.wire.Names;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code longhaul agent}. */
@Command(
        name = "agent",
        header = "Run an agent: subscribe, watch directories, archive.",
        description = {
            "Serves subscriptions, publishes what appears in directories, and keeps archives that serve repairs to others,"
                    + " until it is stopped. Goes on with what was unfinished when it last ended.",
            "A file in a watched directory is published once it has not changed for two scans; names that begin with a dot"
                    + " or end in .part or .tmp are left alone."
        },
        footer = {
            "",
            "Example:",
            "  longhaul agent --name site-a --data /var/lib/longhaul/site-a \\",
            "      --broker 127.0.0.1:7400 --subscribe climate.daily=/srv/climate \\",
            "      --watch /srv/out=results --archive results"
        })
final class AgentCommand implements Callable<Integer> {
    private static final Duration DEFAULT_SCAN_INTERVAL = Duration.ofSeconds(1);
    private static final Duration LEAST_SCAN_INTERVAL = Duration.ofMillis(10);

    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private FloorOptions floor = new FloorOptions();

    @Mixin
    private HookOptions hook = new HookOptions();

    @Option(
            names = "--name",
            required = true,
            paramLabel = "NAME",
            description = "The agent's name, unique in the network; also the name of its subscriptions.")
    private String name = "";

    @Option(
            names = "--data",
            required = true,
            paramLabel = "DIR",
            description = "Ledger, spool and archives; one process at a time.")
    private Path data = Path.of("");

    @Option(
            names = "--subscribe",
            paramLabel = "TOPIC=DIR",
            converter = TopicDirectory.Incoming.class,
            description = "Deliver the files of TOPIC into DIR; may be given several times.")
    private List<TopicDirectory> subscribe = new ArrayList<>();

    @Option(
            names = "--watch",
            paramLabel = "DIR=TOPIC",
            converter = TopicDirectory.Outgoing.class,
            description = "Publish the files that appear in DIR to TOPIC; may be given several times.")
    private List<TopicDirectory> watch = new ArrayList<>();

    @Option(
            names = "--archive",
            paramLabel = "TOPIC",
            description = "Keep every transfer of TOPIC under --data and serve repairs; may be given several times.")
    private List<String> archive = new ArrayList<>();

    @Option(
            names = "--retain",
            paramLabel = "TOPIC=TIME|SIZE",
            converter = TopicRetention.Converter.class,
            description =
                    "How long an archive keeps the files of TOPIC, like 30d, or how much of them, like 500GiB: the"
                            + " oldest go first, but never what is promised to somebody. May be given several times, also both"
                            + " for one topic. Default: everything for ever.")
    private List<TopicRetention> retain = new ArrayList<>();

    @Option(
            names = "--existing",
            paramLabel = "replace|keep|rename",
            description =
                    "When something of the name exists in a DIR of --subscribe: replace it, a directory with all that"
                            + " is in it, too; keep it; or rename the new one to NAME~1. Default: replace.")
    private @Nullable ExistingPolicy existing;

    @Option(
            names = "--scan-interval",
            paramLabel = "TIME",
            converter = TimeSpan.class,
            description = "How often watched directories are looked at, at least 10ms. Default: 1s.")
    private @Nullable Duration scanInterval;

    AgentCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Console console = common.console(environment);
        check();
        Optional<CompletionHook> program = hook.hook(console);
        AgentConfig config = floor.applyTo(connection.config(name, data, Optional.empty(), environment));
        AgentSession session = AgentSession.open(config, environment, console);
        try (AgentService service = new AgentService(session, environment, console)) {
            try {
                subscribe(service, new Deliveries(console, program, 0), console);
                service.watch(watch, data);
            } catch (RuntimeException e) {
                if (AgentSession.isFinal(e)) {
                    service.abandon();
                }
                throw e;
            }
            service.start(scanInterval == null ? DEFAULT_SCAN_INTERVAL : scanInterval);
            return service.serve(name, data);
        }
    }

    private void subscribe(AgentService service, Deliveries deliveries, Console console) {
        for (TopicDirectory topic : subscribe) {
            Path into = RealPath.withoutDots(topic.directory());
            SubscribeRequest request = SubscribeRequest.of(topic.topic(), name, into);
            service.subscribe(existing == null ? request : request.withExisting(existing), deliveries);
        }
        Path archives = RealPath.withoutDots(data).resolve("archive");
        for (String topic : archive) {
            service.subscribe(
                    SubscribeRequest.of(topic, name, archives.resolve(topic)).withArchive(retention(topic)),
                    new Deliveries(console, Optional.empty(), 0));
        }
    }

    private Retention retention(String topic) {
        Retention retention = Retention.FOR_EVER;
        for (TopicRetention each : retain) {
            if (each.topic().equals(topic)) {
                retention = each.addTo(retention);
            }
        }
        return retention;
    }

    private void check() {
        Names.agent(name);
        for (TopicRetention each : retain) {
            if (!archive.contains(each.topic())) {
                throw new IllegalArgumentException(
                        "--retain " + each.topic() + ": expected a topic of --archive, found "
                                + (archive.isEmpty() ? "none" : String.join(", ", archive)));
            }
            retention(each.topic());
        }
        if (subscribe.isEmpty() && watch.isEmpty() && archive.isEmpty()) {
            throw new IllegalArgumentException(
                    "nothing to do: give --subscribe TOPIC=DIR, --watch DIR=TOPIC or --archive TOPIC");
        }
        if (hook.command != null && subscribe.isEmpty()) {
            throw new IllegalArgumentException(
                    "--on-complete: expected --subscribe TOPIC=DIR, whose deliveries it is run for, found none");
        }
        if (existing != null && subscribe.isEmpty()) {
            throw new IllegalArgumentException("--existing goes with --subscribe TOPIC=DIR");
        }
        checkScanInterval();
        subscribe.forEach(topic -> OptionValue.directory("--subscribe", topic.directory()));
        checkWatched();
        Set<String> topics = new HashSet<>();
        List<String> all = new ArrayList<>(archive);
        subscribe.forEach(topic -> all.add(topic.topic()));
        for (String topic : all) {
            if (!topics.add(Names.topic(topic))) {
                throw new IllegalArgumentException("topic " + topic
                        + " is given twice: one agent has one subscription of a topic, to deliver or to archive");
            }
        }
    }

    private void checkScanInterval() {
        if (scanInterval == null) {
            return;
        }
        if (watch.isEmpty()) {
            throw new IllegalArgumentException("--scan-interval goes with --watch DIR=TOPIC");
        }
        if (scanInterval.compareTo(LEAST_SCAN_INTERVAL) < 0) {
            throw new IllegalArgumentException("--scan-interval: expected " + LEAST_SCAN_INTERVAL.toMillis()
                    + "ms or more, found " + scanInterval.toMillis() + "ms");
        }
    }

    private void checkWatched() {
        for (TopicDirectory watched : watch) {
            WatchLoops.requireWithoutData(watched.directory(), data);
            subscribe.stream()
                    .filter(into -> into.topic().equals(watched.topic()))
                    .forEach(into -> WatchLoops.requireWithoutDeliveries(
                            watched.directory(), into.directory(), watched.topic()));
        }
    }
}
