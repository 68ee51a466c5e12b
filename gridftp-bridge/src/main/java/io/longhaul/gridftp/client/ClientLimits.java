package io.longhaul.gridftp.client;

import java.time.Duration;

/**
 * What a client uses up, and how long it waits.
 *
 * @param sessions control connections at a time, for transfers and for commands; default 16
 * @param commandSessions more of them, for commands only; default 8
 * @param parallelism data connections of an upload in MODE E; default 4
 * @param windowBytes that wait in memory for those before them, in one upload in MODE S; default 64 MiB
 * @param connect how long a connection or a login step may take; default 20 s
 * @param reply how long a command may take that moves no bytes, and wait for a free session; default 60 s
 * @param stall how long a transfer may go on without a byte; default 120 s
 * @param end how long a server may take to answer when all bytes are sent, or to compute a checksum, and how long transfers and
 *     checksums wait for a free session; default 30 min
 * @param idle how long an unused control connection is kept; default 60 s
 */
public record ClientLimits(
        int sessions,
        int commandSessions,
        int parallelism,
        long windowBytes,
        Duration connect,
        Duration reply,
        Duration stall,
        Duration end,
        Duration idle) {
    /** Sessions that one may allow. */
    public static final int MOST_SESSIONS = 1000;

    private static final int MOST = 64;

    /** Checks the bounds. */
    public ClientLimits {
        if (sessions < 1 || sessions > MOST_SESSIONS || commandSessions < 0 || commandSessions > MOST_SESSIONS) {
            throw new IllegalArgumentException("client: expected 1.." + MOST_SESSIONS + " sessions and 0.."
                    + MOST_SESSIONS + " for commands, found " + sessions + ", " + commandSessions);
        }
        if (parallelism < 1 || parallelism > MOST || windowBytes < 0) {
            throw new IllegalArgumentException("client: expected 1.." + MOST + " data connections and a window, found "
                    + parallelism + ", " + windowBytes);
        }
    }

    /** Returns the defaults. */
    public static ClientLimits defaults() {
        return new ClientLimits(
                16,
                8,
                4,
                64L * 1024 * 1024,
                Duration.ofSeconds(20),
                Duration.ofSeconds(60),
                Duration.ofSeconds(120),
                Duration.ofMinutes(30),
                Duration.ofSeconds(60));
    }

    /** Returns the same with other limits in time; {@code end} and {@code idle} stay. */
    public ClientLimits withTimes(Duration toConnect, Duration toReply, Duration toStall) {
        return new ClientLimits(
                sessions, commandSessions, parallelism, windowBytes, toConnect, toReply, toStall, end, idle);
    }

    /** Returns the same with another window. */
    public ClientLimits withWindow(long bytes) {
        return new ClientLimits(sessions, commandSessions, parallelism, bytes, connect, reply, stall, end, idle);
    }

    /** Returns the same with other numbers of sessions. */
    public ClientLimits withSessions(int all, int forCommands) {
        return new ClientLimits(all, forCommands, parallelism, windowBytes, connect, reply, stall, end, idle);
    }
}
