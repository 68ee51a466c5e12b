package io.longhaul.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * How an agent is set up.
 *
 * @param name the agent's name, unique in the network
 * @param data directory of ledger and spool; one process at a time
 * @param broker where the broker is: {@code host:port}, {@code tcp://host:port?tls=true&...}
 * @param user user name, empty for none
 * @param password password, empty for none; never logged
 * @param connectTimeout how long the first connection may take, default 30 s
 * @param windowBytes most bytes offered to the broker and not acknowledged, default 32 MiB but at most an eighth of
 *     the heap
 * @param holder whether the agent grants leases, so that a broker may drop another subscription's backlog of what
 *     this agent has, default true; repairs are served in any case
 * @param offline open even when the broker cannot be reached now: what is spooled waits for it, default false
 * @param floorBytes free space that is never used up, neither in the data directory nor where files are delivered; empty,
 *     the default: 64 MiB of each file system, or a twentieth of it where that is less
 * @param spoolQuotaBytes most bytes of spool, default unlimited ({@link Long#MAX_VALUE})
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
        long spoolQuotaBytes) {
    private static final int MIB = 1024 * 1024;

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
                Long.MAX_VALUE);
    }

    /** Returns it with a login at the broker. */
    public AgentConfig withCredentials(String newUser, String newPassword) {
        return new AgentConfig(
                name,
                data,
                broker,
                newUser,
                newPassword,
                connectTimeout,
                windowBytes,
                holder,
                offline,
                floorBytes,
                spoolQuotaBytes);
    }

    /** Returns it with another limit of how long the first connection may take. */
    public AgentConfig withConnectTimeout(Duration timeout) {
        return new AgentConfig(
                name, data, broker, user, password, timeout, windowBytes, holder, offline, floorBytes, spoolQuotaBytes);
    }

    /** Returns it with or without the granting of leases. */
    public AgentConfig withHolder(boolean newHolder) {
        return new AgentConfig(
                name,
                data,
                broker,
                user,
                password,
                connectTimeout,
                windowBytes,
                newHolder,
                offline,
                floorBytes,
                spoolQuotaBytes);
    }

    /** Returns it so that it opens also while the broker cannot be reached, or not. */
    public AgentConfig withOffline(boolean newOffline) {
        return new AgentConfig(
                name,
                data,
                broker,
                user,
                password,
                connectTimeout,
                windowBytes,
                holder,
                newOffline,
                floorBytes,
                spoolQuotaBytes);
    }

    /** Returns it with a floor, the same for every file system. */
    public AgentConfig withFloor(long newFloorBytes) {
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
                OptionalLong.of(newFloorBytes),
                spoolQuotaBytes);
    }

    /** Returns it with a limit of what is spooled. */
    public AgentConfig withSpoolQuota(long newSpoolQuotaBytes) {
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
                newSpoolQuotaBytes);
    }

    @Override
    public String toString() {
        return "AgentConfig[name=" + name + ", data=" + data + ", broker=" + broker + ", user=" + user + "]";
    }
}
