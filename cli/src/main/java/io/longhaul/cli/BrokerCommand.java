package io.longhaul.cli;

import io.longhaul.broker.Broker;
import io.longhaul.broker.BrokerConfig;
import io.longhaul.broker.BrokerException;
import io.longhaul.broker.BrokerRole;
import io.longhaul.broker.JournalKind;
import io.longhaul.cli.option.ByteSize;
import io.longhaul.cli.option.HostPort;
import io.longhaul.cli.option.OptionValue;
import io.longhaul.cli.state.Footprint;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.storage.Disk;
import io.longhaul.storage.RealPath;
import io.longhaul.wire.Names;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code longhaul broker}. */
@Command(
        name = "broker",
        header = "Run a broker.",
        description = {
            "Takes files from publishers, keeps them on disk and gives them to subscriptions, until it is stopped."
                    + " Without --users everybody may do everything, so it listens on loopback addresses only."
        },
        footer = {
            "",
            "Example:",
            "  longhaul broker --name site-a --data /srv/broker --listen 127.0.0.1:7400",
            "  longhaul broker --name site-b --data /srv/broker-b --listen 127.0.0.1:7401 --link 127.0.0.1:7400",
            "  longhaul broker --name hub --data /srv/hub --listen 127.0.0.1:7402 --backup 127.0.0.1:7403 \\",
            "      --witness 127.0.0.1:7400",
            "  longhaul broker --name hub --data /srv/hub-2 --listen 127.0.0.1:7403 --backup-of 127.0.0.1:7402 \\",
            "      --witness 127.0.0.1:7400",
            "",
            "The last two are a pair, for which the first one decides: agents connect to 127.0.0.1:7402,127.0.0.1:7403.",
            "'longhaul user add' makes the file for --users."
        })
final class BrokerCommand implements Callable<Integer> {
    static final String DEFAULT_LISTEN = BrokerConfig.DEFAULT_LISTEN;
    private static final Set<BrokerException.Code> REFUSALS =
            Set.of(BrokerException.Code.BAD_CONFIG, BrokerException.Code.CANNOT_LISTEN, BrokerException.Code.NO_SPACE);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(1);

    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private TlsOptions tls = new TlsOptions();

    @Mixin
    private MetricsOptions metrics = new MetricsOptions();

    @Option(
            names = "--name",
            required = true,
            paramLabel = "NAME",
            description = "The broker's name, unique in the network.")
    private String name = "";

    @Option(
            names = "--data",
            required = true,
            paramLabel = "DIR",
            description = "Journal of the broker; one process at a time.")
    private Path data = Path.of("");

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            converter = HostPort.Converter.class,
            description = "Where agents connect; may be given several times; port 0 takes a free one. Default: "
                    + DEFAULT_LISTEN + ".")
    private List<HostPort> listen = new ArrayList<>();

    @Option(
            names = "--listen-core",
            paramLabel = "HOST:PORT",
            converter = HostPort.Converter.class,
            description = "Further places for plain Artemis core clients. Default: none.")
    private List<HostPort> listenCore = new ArrayList<>();

    @Mixin
    private LinkOptions links = new LinkOptions();

    @Mixin
    private PairOptions pair = new PairOptions();

    @Option(
            names = "--users",
            paramLabel = "FILE",
            description = "Users, hashed passwords and rights. Default: none, loopback only.")
    private @Nullable Path users;

    @Option(
            names = "--client-ca",
            paramLabel = "FILE",
            description = "PEM; clients must show a certificate that one of these signed. Default: none is asked for.")
    private @Nullable Path clientCa;

    @Option(
            names = "--backlog-limit",
            paramLabel = "SIZE",
            converter = ByteSize.Converter.class,
            description =
                    "Most bytes kept for one subscription before they are dropped in favour of a holder's lease;"
                            + " twice that for one that has taken something within the last 10 s. At least 1MiB. Default: 2GiB.")
    private @Nullable ByteSize backlogLimit;

    @Option(
            names = "--disk-floor",
            paramLabel = "SIZE",
            converter = ByteSize.Converter.class,
            description = "Free space below which nothing more is taken, at least 64MiB. Default: 256MiB.")
    private @Nullable ByteSize diskFloor;

    @Mixin
    private LimitOptions limits = new LimitOptions();

    @Option(names = "--journal", paramLabel = "nio|aio", description = "How the journal is written. Default: nio.")
    private @Nullable JournalKind journal;

    private Places listened = new Places(List.of(), List.of());

    /** Where the broker listens, with actual ports. */
    private record Places(List<String> all, List<String> core) {}

    BrokerCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Console console = common.console(environment);
        BrokerConfig config = config();
        try (MetricsOptions.Served served = metrics.serve(config)) {
            while (true) {
                BrokerRole last = live(console, config, served);
                if (last != BrokerRole.OVER) {
                    return last == BrokerRole.SINGLE ? failed(console) : ExitCodes.OK;
                }
                console.warn("longhaul: broker " + name + " stopped living; it starts again, as what it may be");
                if (environment.stop().await(new CompletableFuture<>(), PAUSE_NS) == StopSignal.Cause.STOPPED) {
                    return ExitCodes.OK;
                }
            }
        }
    }

    private int failed(Console console) {
        console.warn("longhaul: broker " + name + " stopped by itself: its disk failed (data in " + data + ")");
        return ExitCodes.FAILED;
    }

    /**
     * Runs a broker until it ends. Returns {@link BrokerRole#OVER} for one of a pair that may live again, SINGLE for one
     * that failed, and another role for one that was stopped.
     */
    private BrokerRole live(Console console, BrokerConfig config, MetricsOptions.Served served) {
        try (Broker broker = launched(config)) {
            served.watch(broker);
            listened =
                    new Places(actual(config.listen(), broker.port()), actual(config.listenCore(), broker.corePort()));
            BrokerRole told = BrokerRole.STARTING;
            while (broker.isRunning()) {
                BrokerRole now = broker.role();
                if (now != told && now != BrokerRole.OVER) {
                    tell(console, served, new Turn(told, now));
                    told = now;
                }
                if (environment.stop().await(new CompletableFuture<>(), LOOK_NS) == StopSignal.Cause.STOPPED) {
                    served.stopping();
                    console.say("longhaul: broker " + name + " stops");
                    return BrokerRole.STARTING;
                }
            }
            BrokerRole last = broker.role();
            if (last == BrokerRole.OVER) {
                tell(console, served, new Turn(told, last));
            }
            return last;
        }
    }

    /** What a broker was and is. */
    private record Turn(BrokerRole from, BrokerRole to) {
        boolean serves() {
            return to.isLive() && !from.isLive() || to == BrokerRole.BACKUP;
        }
    }

    private void tell(Console console, MetricsOptions.Served served, Turn turn) {
        String role = turn.to().name().toLowerCase(Locale.ROOT);
        if (turn.to() != BrokerRole.SINGLE) {
            console.event(JsonLine.of("pair").with("name", name).with("role", role));
        }
        if (turn.serves()) {
            ready(console, served, turn.to());
        }
    }

    /** A refused start leaves nothing on disk that was not there before, and says so in one line. */
    private static Broker launched(BrokerConfig config) {
        Footprint footprint = Footprint.of(config.data());
        LogSetup.muteMachinery();
        try {
            return Broker.launch(config);
        } catch (BrokerException e) {
            // One in use was made by whoever uses it, even when it was missing a moment ago.
            if (REFUSALS.contains(e.code())) {
                footprint.undo(Disk.real());
            }
            throw e;
        } finally {
            LogSetup.unmuteMachinery();
        }
    }

    private BrokerConfig config() {
        BrokerConfig config = BrokerConfig.of(
                        Names.broker(name), RealPath.withoutDots(OptionValue.directory("--data", data)))
                .withListen(listen.isEmpty() ? List.of(DEFAULT_LISTEN) : texts(listen))
                .withListenCore(texts(listenCore))
                .withLinks(links.links(environment))
                .withLimiting(limits.limiting());
        if (users != null) {
            config = config.withUsers(users);
        }
        Optional<BrokerConfig.Pairing> pairing = pair.pairing();
        if (pairing.isPresent()) {
            config = config.withPair(pairing.get());
        }
        Optional<TlsOptions.Pair> files = tls.pair();
        if (files.isPresent()) {
            TlsOptions.Pair pair = files.get();
            config = config.withTls(
                    new BrokerConfig.TlsFiles(pair.certificate(), pair.key(), Optional.ofNullable(clientCa)));
        } else if (clientCa != null) {
            throw TlsOptions.incomplete();
        }
        if (backlogLimit != null) {
            config = config.withBacklogLimit(backlogLimit.bytes());
        }
        if (diskFloor != null) {
            config = config.withDiskFloor(diskFloor.bytes());
        }
        return journal == null ? config : config.withJournal(journal);
    }

    private static List<String> texts(List<HostPort> places) {
        return places.stream().map(HostPort::toString).toList();
    }

    /** Returns the places with the first one's port as it is. */
    private static List<String> actual(List<String> places, int port) {
        List<String> actual = new ArrayList<>(places);
        if (!actual.isEmpty()) {
            actual.set(0, new HostPort(HostPort.parse(actual.get(0)).host(), port).toString());
        }
        return actual;
    }

    private void ready(Console console, MetricsOptions.Served served, BrokerRole role) {
        Places places = listened;
        HostPort actual = HostPort.parse(places.all().get(0));
        JsonLine event = JsonLine.of("ready")
                .with("command", "broker")
                .with("name", name)
                .with("role", role.isLive() ? "primary" : "backup")
                .with("listen", places.all())
                .with("listenCore", places.core())
                .with("host", actual.host())
                .with("port", actual.port())
                .with("data", RealPath.withoutDots(data).toString())
                .with("pid", ProcessHandle.current().pid());
        served.place().ifPresent(place -> event.with("metrics", place));
        console.event(event);
        console.say("longhaul: broker " + name
                + (role.isLive() ? " listens on " : " is a backup in sync, and will listen on ")
                + String.join(", ", places.all())
                + (places.core().isEmpty()
                        ? ""
                        : " and for plain Artemis clients on " + String.join(", ", places.core()))
                + served.place()
                        .map(place -> ", metrics on http://" + place + "/metrics")
                        .orElse("") + ", data in "
                + data);
    }
}
