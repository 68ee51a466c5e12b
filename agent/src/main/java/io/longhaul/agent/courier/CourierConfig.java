package io.longhaul.agent.courier;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How a courier is set up.
 *
 * @param name name of the endpoint, unique in the network; grammar of agents' names
 * @param data directory that says whose the name is, made when missing; one process at a time
 * @param broker where the broker is, as {@link io.longhaul.agent.AgentConfig#broker} has it
 * @param user user name, empty for none
 * @param password password, empty for none; never logged
 * @param connectTimeout how long the first connection may take, default 30 s
 * @param windowBytes most bytes sent and not yet taken by the broker, and most bytes that the broker sends ahead, default
 *     32 MiB but at most an eighth of the heap
 */
public record CourierConfig(
        String name, Path data, String broker, String user, String password, Duration connectTimeout, int windowBytes) {
    private static final long MIB = 1024 * 1024;

    /** Returns a configuration with all defaults. */
    public static CourierConfig of(String name, Path data, String broker) {
        long eighth = Runtime.getRuntime().maxMemory() / 8;
        return new CourierConfig(name, data, broker, "", "", Duration.ofSeconds(30), (int) Math.min(32 * MIB, eighth));
    }

    public CourierConfig withCredentials(String newUser, String newPassword) {
        return new CourierConfig(name, data, broker, newUser, newPassword, connectTimeout, windowBytes);
    }

    public CourierConfig withConnectTimeout(Duration timeout) {
        return new CourierConfig(name, data, broker, user, password, timeout, windowBytes);
    }

    public CourierConfig withWindow(int newWindowBytes) {
        return new CourierConfig(name, data, broker, user, password, connectTimeout, newWindowBytes);
    }

    @Override
    public String toString() {
        return "CourierConfig[name=" + name + ", data=" + data + ", broker=" + broker + ", user=" + user + "]";
    }
}
