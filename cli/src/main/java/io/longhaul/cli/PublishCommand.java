package io.longhaul.cli;

import io.longhaul.agent.AgentConfig;
import io.longhaul.agent.Job;
import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.SymlinkPolicy;
import io.longhaul.cli.option.ByteSize;
import io.longhaul.cli.option.ReceiptCount;
import io.longhaul.cli.option.TimeSpan;
import io.longhaul.cli.terminal.Console;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import io.longhaul.wire.Limits;
import io.longhaul.wire.Names;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code longhaul publish}. */
@Command(
        name = "publish",
        header = "Publish files or directories to a topic.",
        description = {
            "Every FILE or DIR is one transfer; each subscription of the topic gets it once. Returns when the broker has"
                    + " everything on disk, or with --wait when subscribers have confirmed. The same command after an"
                    + " interruption goes on where it stopped."
        },
        footer = {
            "",
            "Example:",
            "  longhaul publish rain.nc --topic climate.daily --broker 127.0.0.1:7400",
            "  tar c data | longhaul publish - --name data.tar --topic backups \\",
            "      --broker 127.0.0.1:7400"
        })
final class PublishCommand implements Callable<Integer> {
    static final String STANDARD_INPUT = "-";

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
            arity = "1..*",
            paramLabel = "FILE|DIR",
            description =
                    "What to publish; - is standard input and needs --name. Names that begin with a dash go behind --.")
    private List<String> sources = new ArrayList<>();

    @Option(names = "--topic", required = true, paramLabel = "TOPIC", description = "The topic to publish to.")
    private String topic = "";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "Ledger and spool of this publisher; one process at a time. Default: a folder for this topic and"
                            + " broker under ~/.local/state/longhaul.")
    private @Nullable Path data;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Relative path at the subscribers. Default: the last part of FILE.")
    private @Nullable String name;

    @Option(
            names = "--spool",
            description =
                    "Keep every piece in --data first, so that the source may vanish; always so for standard input.")
    private boolean spool;

    @Option(
            names = "--wait",
            paramLabel = "N|none",
            converter = ReceiptCount.Converter.class,
            description = {
                "How many subscriptions must confirm each transfer by a receipt. It fails only when so many say that it failed"
                        + " there, that too few are left. Default: none, the broker has it on disk."
            })
    private ReceiptCount receipts = new ReceiptCount(0);

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = TimeSpan.class,
            description =
                    "Give up after this time: exit code 6, the same command goes on; 3 when the broker was never reached and"
                            + " nothing is kept here, that is without --spool. Default: never.")
    private @Nullable Duration timeout;

    @Option(
            names = "--piece-size",
            paramLabel = "SIZE",
            converter = ByteSize.Converter.class,
            description = "Bytes of a piece, 4KiB to 4MiB; of what is spooled 1MiB at most. Default: 1MiB.")
    private ByteSize pieceSize = new ByteSize(PublishRequest.DEFAULT_PIECE_SIZE);

    @Option(
            names = "--symlinks",
            paramLabel = "recreate|skip",
            description =
                    "Symbolic links in a DIR: recreate those that stay inside it, or skip all. A DIR with a link that is"
                            + " absolute, leads out or steps up behind a step down (a/../b) is refused. Default: recreate.")
    private SymlinkPolicy symlinks = SymlinkPolicy.RECREATE;

    @Option(
            names = "--priority",
            paramLabel = "0-9",
            description =
                    "What waits at a broker, or for a link, goes out by priority first: 9 before 8 before 7. Default: 4.")
    private int priority = PublishRequest.DEFAULT_PRIORITY;

    PublishCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Console console = common.console(environment);
        Deadline deadline = Deadline.in(Optional.ofNullable(timeout), environment.nanoTime());
        Names.topic(topic);
        Path directory = data != null ? data : environment.state().ofPublisher(topic, connection.url());
        List<PublishRequest> requests = requests(directory);
        Job job = new Job();
        AgentConfig config = connection
                .config(
                        ConnectionOptions.name(directory, console),
                        directory,
                        Optional.ofNullable(timeout),
                        environment)
                .withHolder(false)
                .withJob(job)
                .withOffline(isSpooled());
        AgentSession session = AgentSession.open(spoolLimit.applyTo(floor.applyTo(config)), environment, console);
        Publications publications = new Publications(session.agent(), console, topic, environment.threads());
        StopSignal.Cause cause;
        try (session) {
            cause = ProgressTicker.during(
                    environment,
                    console,
                    publications::progress,
                    () -> publications.run(requests, environment.stop(), deadline));
            publications.collectCompleted();
            if (publications.isAllRefused()) {
                session.abandon();
            } else if (publications.isOver()) {
                job.end();
            }
        }
        if (sources.contains(STANDARD_INPUT)) {
            publications.collectCompleted(); // the same command could not be told of it another time
            publications.failUnread();
        }
        return publications.end(cause, directory);
    }

    /** Whether every source is kept here first, so that the broker may be away. */
    private boolean isSpooled() {
        return spool || sources.stream().allMatch(STANDARD_INPUT::equals);
    }

    private List<PublishRequest> requests(Path directory) {
        if (name != null && sources.size() > 1) {
            throw new IllegalArgumentException("--name goes with one FILE, found " + sources.size());
        }
        if (pieceSize.bytes() < Limits.MIN_PIECE_SIZE || pieceSize.bytes() > Limits.MAX_PIECE_SIZE) {
            throw new IllegalArgumentException(
                    "--piece-size: expected 4KiB to 4MiB, found " + pieceSize.bytes() + " bytes");
        }
        int mostSpooled = StoreConfig.defaults().slotBytes();
        if ((spool || sources.contains(STANDARD_INPUT)) && pieceSize.bytes() > mostSpooled) {
            throw new IllegalArgumentException("--piece-size: expected at most " + mostSpooled
                    + " bytes for what is spooled, found " + pieceSize.bytes());
        }
        if (priority < 0 || priority > PublishRequest.MOST_PRIORITY) {
            throw new IllegalArgumentException(
                    "--priority: expected 0 to " + PublishRequest.MOST_PRIORITY + ", found " + priority);
        }
        PublishSources.requireDistinctNames(sources);
        boolean mayBeKnown = Store.exists(directory);
        return sources.stream().map(source -> request(source, mayBeKnown)).toList();
    }

    private PublishRequest request(String source, boolean mayBeKnown) {
        PublishRequest request;
        if (source.equals(STANDARD_INPUT)) {
            if (name == null) {
                throw new IllegalArgumentException("standard input (-) needs --name NAME");
            }
            request = PublishRequest.of(environment.streams().in(), name, topic);
        } else {
            request = PublishRequest.of(PublishSources.path(source, mayBeKnown), topic)
                    .withSpool(spool);
        }
        if (name != null) {
            request = request.withName(PublishSources.name(name));
        }
        return request.withReceipts(receipts.count())
                .withPieceSize((int) pieceSize.bytes())
                .withSymlinks(symlinks)
                .withPriority(priority);
    }
}
