package io.longhaul.broker;

import io.longhaul.broker.limits.Limit;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
 * @param diskFloorBytes free space of the data directory's file system below which the broker takes nothing, default
 *     256 MiB
 * @param journal how the journal is written, default {@link JournalKind#NIO}
 * @param links links to other brokers, default none
 * @param pair the pair that it is one of, default none
 * @param limiting what users and topics may use of it, default anything
 * @param anonymousBeyondLoopback whether to listen beyond loopback without a users file, default false
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
        Limiting limiting,
        boolean anonymousBeyondLoopback) {
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
                Limiting.NONE,
                false);
    }

    public BrokerConfig withListen(List<String> hostPorts) {
        return new BrokerConfig(
                name,
                data,
                hostPorts,
                listenCore,
                users,
                tls,
                backlogLimitBytes,
                diskFloorBytes,
                journal,
                links,
                pair,
                limiting,
                anonymousBeyondLoopback);
    }

    public BrokerConfig withListen(String... hostPorts) {
        return withListen(List.of(hostPorts));
    }

    public BrokerConfig withListenCore(List<String> hostPorts) {
        return new BrokerConfig(
                name,
                data,
                listen,
                hostPorts,
                users,
                tls,
                backlogLimitBytes,
                diskFloorBytes,
                journal,
                links,
                pair,
                limiting,
                anonymousBeyondLoopback);
    }

    /** Returns a copy that listens for plain Artemis clients only. */
    public BrokerConfig withListenCoreOnly(String hostPort) {
        return withListenCore(List.of(hostPort)).withListen();
    }

    public BrokerConfig withUsers(Path file) {
        return new BrokerConfig(
                name,
                data,
                listen,
                listenCore,
                Optional.of(file),
                tls,
                backlogLimitBytes,
                diskFloorBytes,
                journal,
                links,
                pair,
                limiting,
                anonymousBeyondLoopback);
    }

    public BrokerConfig withTls(TlsFiles files) {
        return new BrokerConfig(
                name,
                data,
                listen,
                listenCore,
                users,
                Optional.of(files),
                backlogLimitBytes,
                diskFloorBytes,
                journal,
                links,
                pair,
                limiting,
                anonymousBeyondLoopback);
    }

    public BrokerConfig withBacklogLimit(long bytes) {
        return new BrokerConfig(
                name,
                data,
                listen,
                listenCore,
                users,
                tls,
                bytes,
                diskFloorBytes,
                journal,
                links,
                pair,
                limiting,
                anonymousBeyondLoopback);
    }

    public BrokerConfig withDiskFloor(long bytes) {
        return new BrokerConfig(
                name,
                data,
                listen,
                listenCore,
                users,
                tls,
                backlogLimitBytes,
                bytes,
                journal,
                links,
                pair,
                limiting,
                anonymousBeyondLoopback);
    }

    public BrokerConfig withJournal(JournalKind kind) {
        return new BrokerConfig(
                name,
                data,
                listen,
                listenCore,
                users,
                tls,
                backlogLimitBytes,
                diskFloorBytes,
                kind,
                links,
                pair,
                limiting,
                anonymousBeyondLoopback);
    }

    public BrokerConfig withLinks(Links to) {
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
                to,
                pair,
                limiting,
                anonymousBeyondLoopback);
    }

    /** Returns a copy that may listen beyond loopback with no users file: everybody who reaches it may do everything. */
    public BrokerConfig withAnonymousBeyondLoopback(boolean allowed) {
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
                limiting,
                allowed);
    }

    public BrokerConfig withPair(Pairing of) {
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
                Optional.of(of),
                limiting,
                anonymousBeyondLoopback);
    }

    public BrokerConfig withLimiting(Limiting limits) {
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
                limits,
                anonymousBeyondLoopback);
    }
}
