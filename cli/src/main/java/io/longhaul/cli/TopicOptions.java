package io.longhaul.cli;

import io.longhaul.agent.AgentConfig;
import io.longhaul.cli.option.TimeSpan;
import io.longhaul.cli.terminal.Console;
import io.longhaul.gridftp.mount.MountTable;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Quorum;
import io.longhaul.gridftp.topic.TopicsBackend;
import io.longhaul.gridftp.topic.TopicsConfig;
import io.longhaul.storage.DataDirectory;
import io.longhaul.storage.Disk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a front publishes what its clients store for topics. */
final class TopicOptions {
    private static final String DEFAULT = "/topics";
    private static final String NONE = "none";
    private static final Duration LEAST = Duration.ofSeconds(1);

    @Option(
            names = "--topics",
            paramLabel = "/PATH|none",
            description =
                    "Where clients see topics: what they store as /PATH/TOPIC/NAME is published to the topic as NAME. Needs --broker"
                            + " and --data. Default: /topics on a front with --broker that has no mount at /.")
    private @Nullable String path;

    @Option(
            names = "--quorum",
            paramLabel = "all|one|K",
            description =
                    "How many subscriptions of a topic must have a file before its client is told so; a session may say"
                            + " otherwise (SITE LONGHAUL QUORUM=...). Default: all.")
    private String quorum = "all";

    @Option(
            names = "--receipt-timeout",
            paramLabel = "TIME",
            converter = TimeSpan.class,
            description = "How long a client waits for that; the delivery goes on without it. Default: 1h.")
    private Duration patience = TopicsConfig.defaults().patience();

    /**
     * Opens what is published by this front; nothing without a broker, or when it is not wanted.
     *
     * @param data the front's directory
     * @param mounts what is mounted already; at the root, that is left as it is unless somebody wants otherwise
     */
    Optional<MountTable.Mount> open(
            ConnectionOptions connection,
            @Nullable Path data,
            List<String> mounts,
            Environment environment,
            Console console) {
        TopicsConfig config = TopicsConfig.defaults().withQuorum(parsed(), patience);
        String place = path == null ? mounts.contains("/") ? NONE : DEFAULT : path;
        FilePath at = place.equals(NONE) ? FilePath.ROOT : BridgePath.parse("--topics", "none, or /PATH", place, place);
        if (patience.compareTo(LEAST) < 0) {
            throw new IllegalArgumentException("--receipt-timeout: expected at least " + LEAST.toSeconds() + "s, found "
                    + patience.toMillis() + "ms");
        }
        if (connection.broker == null && path != null && !place.equals(NONE)) {
            throw new IllegalArgumentException("--topics " + place + " needs --broker URL");
        }
        if (connection.broker == null || place.equals(NONE)) {
            return Optional.empty();
        }
        if (mounts.contains(at.toString())) {
            throw new IllegalArgumentException("--topics " + at + ": --mount has another place for it");
        }
        if (data == null) {
            throw new IllegalArgumentException("missing --data DIR, which --topics needs; or give --topics none");
        }
        Path directory = data.resolve("topics");
        DataDirectory.make(data, Disk.real());
        DataDirectory.make(directory, Disk.real());
        Path ledger = directory.resolve("agent");
        // its leases would be on files that go once the network has them; and clients may come during an outage
        AgentConfig agent = connection
                .config(ConnectionOptions.name(ledger, console), ledger, Optional.empty(), environment)
                .withHolder(false)
                .withOffline(true);
        AgentSession session = AgentSession.open(agent, environment, console);
        return Optional.of(new MountTable.Mount(at, TopicsBackend.open(directory, session.agent(), config)));
    }

    private Quorum parsed() {
        try {
            return Quorum.parse(quorum);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--" + e.getMessage(), e);
        }
    }
}
