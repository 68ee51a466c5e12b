package io.longhaul.agent;

import java.nio.file.Path;
import java.time.Duration;

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
 * @param floorBytes free space that is never used up, default 64 MiB
 * @param spoolQuotaBytes most bytes of spool, default unlimited
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
        long floorBytes,
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
                64L * MIB,
                Long.MAX_VALUE);
    }

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

    public AgentConfig withConnectTimeout(Duration timeout) {
        return new AgentConfig(
                name, data, broker, user, password, timeout, windowBytes, holder, offline, floorBytes, spoolQuotaBytes);
    }

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

    public AgentConfig withFloor(long newFloorBytes, long newSpoolQuotaBytes) {
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
                newFloorBytes,
                newSpoolQuotaBytes);
    }

    @Override
    public String toString() {
        return "AgentConfig[name=" + name + ", data=" + data + ", broker=" + broker + ", user=" + user + "]";
    }
}
