package io.longhaul.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * How an agent is set up.
 *
 * @param name the agent's name, unique in the network, of letters, digits, and {@code . _ -}, at most 100
 * @param data directory of ledger and spool; one process at a time
 * @param broker where the broker is: {@code host:port}, {@code host:port,host:port} for both of a pair, {@code
 *     ptcp://host:port?streams=4&tls=true&ca=FILE&cert=FILE&verify-host=true&proxy=http://host:port}, or {@code
 *     tcp://host:port} for one plain connection
 * @param user user name, empty for none
 * @param password password, empty for none; never logged
 * @param connectTimeout how long the first connection is tried for, default 30 s; 0 or less tries once
 * @param windowBytes most bytes offered to the broker and not acknowledged, default 32 MiB but at most an eighth of
 *     the heap
 * @param holder whether the agent grants leases, so that a broker may drop another subscription's backlog of what
 *     this agent has, default true; repairs are served in any case
 * @param offline open even when the broker cannot be reached now: what is spooled waits for it, default false
 * @param floorBytes free space that is never used up, neither in the data directory nor where files are delivered; empty,
 *     the default: 64 MiB of each file system, or a twentieth of it where that is less
 * @param spoolQuotaBytes most bytes of spool, default unlimited ({@link Long#MAX_VALUE})
 * @param job what all that it publishes belongs to; empty, the default: what was completed about a second before a kill, or
 *     earlier, is published anew when it is requested again
 */
public record AgentConfig(
        String name,
        Path data,
        String broker,
        String user,
        String password,
        Duration connectTimeout,
        int windowBytes,
        boolean holder,
        boolean offline,
        OptionalLong floorBytes,
        long spoolQuotaBytes,
        Optional<Job> job) {
    private static final int MIB = 1024 * 1024;
    /** As good as for ever, and few enough nanoseconds to be added to others. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    /** Throws {@link IllegalArgumentException} for numbers out of bounds. */
    public AgentConfig {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(data, "data");
        Objects.requireNonNull(broker, "broker");
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(password, "password");
        Objects.requireNonNull(connectTimeout, "connectTimeout");
        Objects.requireNonNull(floorBytes, "floorBytes");
        Objects.requireNonNull(job, "job");
        requireAtLeast("windowBytes", 1, windowBytes);
        requireAtLeast("floorBytes", 0, floorBytes.orElse(0));
        requireAtLeast("spoolQuotaBytes", 0, spoolQuotaBytes);
        connectTimeout = connectTimeout.compareTo(LONGEST) > 0 ? LONGEST : connectTimeout;
    }

    private static void requireAtLeast(String what, long least, long found) {
        if (found < least) {
            throw new IllegalArgumentException(what + ": expected at least " + least + ", found " + found);
        }
    }

    /** Returns a configuration with all defaults. */
    public static AgentConfig of(String name, Path data, String broker) {
        long eighth = Runtime.getRuntime().maxMemory() / 8;
        return new AgentConfig(
                name,
                data,
                broker,
                "",
                "",
                Duration.ofSeconds(30),
                (int) Math.min(32L * MIB, eighth),
                true,
                false,
                OptionalLong.empty(),
                Long.MAX_VALUE,
                Optional.empty());
    }

    /** Returns it with a login at the broker. */
    public AgentConfig withCredentials(String newUser, String newPassword) {
        return with(draft -> {
            draft.user = newUser;
            draft.password = newPassword;
        });
    }

    /** Returns it with another limit of how long the first connection may take. */
    public AgentConfig withConnectTimeout(Duration timeout) {
        return with(draft -> draft.connectTimeout = timeout);
    }

    /** Returns it with another limit of what is offered to the broker and not acknowledged. */
    public AgentConfig withWindow(int newWindowBytes) {
        return with(draft -> draft.windowBytes = newWindowBytes);
    }

    /** Returns it with or without the granting of leases. */
    public AgentConfig withHolder(boolean newHolder) {
        return with(draft -> draft.holder = newHolder);
    }

    /** Returns it so that it opens also while the broker cannot be reached, or not. */
    public AgentConfig withOffline(boolean newOffline) {
        return with(draft -> draft.offline = newOffline);
    }

    /** Returns it with a floor, the same for every file system. */
    public AgentConfig withFloor(long newFloorBytes) {
        return with(draft -> draft.floorBytes = OptionalLong.of(newFloorBytes));
    }

    /** Returns it with a limit of what is spooled. */
    public AgentConfig withSpoolQuota(long newSpoolQuotaBytes) {
        return with(draft -> draft.spoolQuotaBytes = newSpoolQuotaBytes);
    }

    /** Returns it with what all that it publishes belongs to. */
    public AgentConfig withJob(Job newJob) {
        return with(draft -> draft.job = Optional.of(Objects.requireNonNull(newJob, "job")));
    }

    @Override
    public String toString() {
        return "AgentConfig[name=" + name + ", data=" + data + ", broker=" + broker + ", user=" + user + "]";
    }

    private AgentConfig with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.made();
    }

    /** The values of a copy before it is made. */
    private static final class Draft {
        private final String name;
        private final Path data;
        private final String broker;
        private String user;
        private String password;
        private Duration connectTimeout;
        private int windowBytes;
        private boolean holder;
        private boolean offline;
        private OptionalLong floorBytes;
        private long spoolQuotaBytes;
        private Optional<Job> job;

        Draft(AgentConfig from) {
            this.name = from.name;
            this.data = from.data;
            this.broker = from.broker;
            this.user = from.user;
            this.password = from.password;
            this.connectTimeout = from.connectTimeout;
            this.windowBytes = from.windowBytes;
            this.holder = from.holder;
            this.offline = from.offline;
            this.floorBytes = from.floorBytes;
            this.spoolQuotaBytes = from.spoolQuotaBytes;
            this.job = from.job;
        }

        AgentConfig made() {
            return new AgentConfig(
                    name,
                    data,
                    broker,
                    user,
                    password,
                    connectTimeout,
                    windowBytes,
                    holder,
                    offline,
                    floorBytes,
                    spoolQuotaBytes,
                    job);
        }
    }
}
