package io.longhaul.broker;

import io.longhaul.broker.limits.Limit;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How a broker is set up.
 *
 * @param name the broker's name, unique in the network
 * @param data directory of journal, pages and locks; one process at a time
 * @param listen where agents connect with the default scheme, {@code host:port}; port 0 takes a free one
 * @param listenCore further places that speak plain Artemis core; usually none
 * @param users file of users and rights; without one everybody may do everything and only loopback addresses may be
 *     listened on
 * @param tls certificate and key; without them connections are in the clear
 * @param backlogLimitBytes most bytes that one subscription may leave at the broker before its pieces are dropped in
 *     favour of a holder's lease, twice that while it takes some; at least 1 MiB, default 2 GiB
 * @param diskFloorBytes free space of the data directory's file system below which the broker takes nothing, at
 *     least 64 MiB whatever is said, default 256 MiB
 * @param journal how the journal is written, default {@link JournalKind#NIO}
 * @param links links to other brokers, default none
 * @param pair the pair that it is one of, default none
 * @param limiting what users and topics may use of it, default anything
 */
public record BrokerConfig(
        String name,
        Path data,
        List<String> listen,
        List<String> listenCore,
        Optional<Path> users,
        Optional<TlsFiles> tls,
        long backlogLimitBytes,
        long diskFloorBytes,
        JournalKind journal,
        Links links,
        Optional<Pairing> pair,
        Limiting limiting) {
    /** Where a broker listens when nothing is said. */
    public static final String DEFAULT_LISTEN = "127.0.0.1:7400";

    private static final long MIB = 1024 * 1024;

    public BrokerConfig {
        listen = List.copyOf(listen);
        listenCore = List.copyOf(listenCore);
        if (listen.isEmpty() && listenCore.isEmpty()) {
            throw new BrokerException(BrokerException.Code.BAD_CONFIG, "listen: expected at least one host:port");
        }
        if (backlogLimitBytes < MIB) {
            throw new BrokerException(
                    BrokerException.Code.BAD_CONFIG,
                    "backlog-limit: expected at least 1MiB, found " + backlogLimitBytes + " bytes");
        }
        if (diskFloorBytes < 0) {
            throw new BrokerException(
                    BrokerException.Code.BAD_CONFIG, "disk-floor: expected 0 or more bytes, found " + diskFloorBytes);
        }
    }

    /**
     * PEM files of a server that speaks TLS.
     *
     * @param certificate the server's certificate, followed by those that sign it
     * @param key its private key, unencrypted PKCS#8
     * @param clientCa when given, clients must show a certificate that one of these signed
     */
    public record TlsFiles(Path certificate, Path key, Optional<Path> clientCa) {}

    /**
     * The links that a broker opens by itself; others may open links to it.
     *
     * @param to each {@code host:port}, or with what a broker URL may have, {@code host:port?streams=4&tls=true}
     * @param user the account of this broker at the others; empty for none
     * @param password its password
     * @param fanOut most links, opened from either side, that should carry files at the same time, while the others
     *     suffice to reach every broker; 0, the default, for any number
     * @param forwardOnly whether this broker keeps nothing but what is on its way from one link to another, default false
     */
    public record Links(List<String> to, String user, String password, int fanOut, boolean forwardOnly) {
        /** No links, and any number of them from elsewhere. */
        public static final Links NONE = new Links(List.of(), "", "", 0, false);

        private static final int MOST_FAN_OUT = 1000;

        public Links {
            to = List.copyOf(to);
            if (fanOut < 0 || fanOut > MOST_FAN_OUT) {
                throw new BrokerException(
                        BrokerException.Code.BAD_CONFIG, "fan-out: expected 0.." + MOST_FAN_OUT + ", found " + fanOut);
            }
        }

        @Override
        public String toString() {
            return "Links[to=" + to + ", user=" + user + ", fanOut=" + fanOut + ", forwardOnly=" + forwardOnly + "]";
        }
    }

    /**
     * One of two brokers of the same name, of which one lives and the other has a copy of what it has.
     *
     * @param partner the other one, as {@link Links#to}
     * @param backup whether this one begins as the backup; later they take turns
     * @param witness a third broker that decides which of them lives; empty for the operator, who starts the backup with
     *     {@code takeOver}
     * @param takeOver the operator's word that this one is to live, because the other one does not
     */
    public record Pairing(String partner, boolean backup, Optional<String> witness, boolean takeOver) {
        public Pairing {
            if (witness.isPresent() && witness.get().equals(partner)) {
                throw new BrokerException(
                        BrokerException.Code.BAD_CONFIG,
                        "witness " + partner + ": expected a third broker, found the other one of the pair");
            }
        }
    }

    /**
     * What may be used of a broker.
     *
     * @param eachUser what each user may use of whom the users file says nothing; without users, all together
     * @param topics what the topics of each pattern may use together; all whose pattern matches count
     */
    public record Limiting(Limit eachUser, Map<String, Limit> topics) {
        /** Anybody may use anything. */
        public static final Limiting NONE = new Limiting(Limit.NONE, Map.of());

        public Limiting {
            topics = Map.copyOf(topics);
        }
    }

    /** Returns a configuration with all defaults. */
    public static BrokerConfig of(String name, Path data) {
        return new BrokerConfig(
                name,
                data,
                List.of(DEFAULT_LISTEN),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                2048 * MIB,
                256 * MIB,
                JournalKind.NIO,
                Links.NONE,
                Optional.empty(),
                Limiting.NONE);
    }

    /** Returns a copy that listens there for agents, each {@code host:port}. */
    public BrokerConfig withListen(List<String> hostPorts) {
        return with(draft -> draft.listen = hostPorts);
    }

    /** As {@link #withListen(List)}; with none, not at all. */
    public BrokerConfig withListen(String... hostPorts) {
        return withListen(List.of(hostPorts));
    }

    /** Returns a copy that listens there for plain Artemis clients, too. */
    public BrokerConfig withListenCore(List<String> hostPorts) {
        return with(draft -> draft.listenCore = hostPorts);
    }

    /** Returns a copy that listens for plain Artemis clients only. */
    public BrokerConfig withListenCoreOnly(String hostPort) {
        return withListenCore(List.of(hostPort)).withListen();
    }

    /** Returns a copy that asks who comes: users and rights are in this file. */
    public BrokerConfig withUsers(Path file) {
        return with(draft -> draft.users = Optional.of(file));
    }

    /** Returns a copy that speaks TLS, at every place that it listens on. */
    public BrokerConfig withTls(TlsFiles files) {
        return with(draft -> draft.tls = Optional.of(files));
    }

    /** Returns a copy with another limit of what one subscription may leave behind; at least 1 MiB. */
    public BrokerConfig withBacklogLimit(long bytes) {
        return with(draft -> draft.backlogLimitBytes = bytes);
    }

    /** Returns a copy that leaves so many bytes of its disk free; fewer than 64 MiB count as these. */
    public BrokerConfig withDiskFloor(long bytes) {
        return with(draft -> draft.diskFloorBytes = bytes);
    }

    /** Returns a copy that writes its journal in another way. */
    public BrokerConfig withJournal(JournalKind kind) {
        return with(draft -> draft.journal = kind);
    }

    /** Returns a copy that links to other brokers. */
    public BrokerConfig withLinks(Links to) {
        return with(draft -> draft.links = to);
    }

    /** Returns a copy that is one of a pair. */
    public BrokerConfig withPair(Pairing of) {
        return with(draft -> draft.pair = Optional.of(of));
    }

    /** Returns a copy with limits of users and topics. */
    public BrokerConfig withLimiting(Limiting limits) {
        return with(draft -> draft.limiting = limits);
    }

    private BrokerConfig with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.made();
    }

    /** The values of a copy before it is made. */
    private static final class Draft {
        private final String name;
        private final Path data;
        private List<String> listen;
        private List<String> listenCore;
        private Optional<Path> users;
        private Optional<TlsFiles> tls;
        private long backlogLimitBytes;
        private long diskFloorBytes;
        private JournalKind journal;
        private Links links;
        private Optional<Pairing> pair;
        private Limiting limiting;

        Draft(BrokerConfig from) {
            this.name = from.name;
            this.data = from.data;
            this.listen = from.listen;
            this.listenCore = from.listenCore;
            this.users = from.users;
            this.tls = from.tls;
            this.backlogLimitBytes = from.backlogLimitBytes;
            this.diskFloorBytes = from.diskFloorBytes;
            this.journal = from.journal;
            this.links = from.links;
            this.pair = from.pair;
            this.limiting = from.limiting;
        }

        BrokerConfig made() {
            return new BrokerConfig(
                    name,
                    data,
                    listen,
                    listenCore,
                    users,
                    tls,
                    backlogLimitBytes,
                    diskFloorBytes,
                    journal,
                    links,
                    pair,
                    limiting);
        }
    }
}
