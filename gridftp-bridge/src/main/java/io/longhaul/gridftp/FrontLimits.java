package io.longhaul.gridftp;

import java.time.Duration;
import java.util.List;

/**
 * What clients may use up.
 *
 * @param sessions at a time, all clients together; default 1000
 * @param sessionsPerAddress at a time; default 500
 * @param sessionsPerUser at a time, except anonymous ones; default 500
 * @param dataConnections of one session; default 256
 * @param lineBytes of a command; default 16 KiB
 * @param login how long a client may take to log in; default 60 s
 * @param idle how long a session may be without a command or a transfer; default 600 s
 * @param connect how long a data connection may take to come about; default 60 s
 * @param stall how long a transfer may go on without a byte; default 300 s
 */
public record FrontLimits(
        int sessions,
        int sessionsPerAddress,
        int sessionsPerUser,
        int dataConnections,
        int lineBytes,
        Duration login,
        Duration idle,
        Duration connect,
        Duration stall) {
    /** Sessions that one may allow. */
    public static final int MOST_SESSIONS = 100_000;

    /** Checks the bounds. */
    public FrontLimits {
        for (int count : new int[] {sessions, sessionsPerAddress, sessionsPerUser}) {
            if (count < 1 || count > MOST_SESSIONS) {
                throw new IllegalArgumentException("sessions: expected 1.." + MOST_SESSIONS + ", found " + count);
            }
        }
        for (Duration time : List.of(login, idle, connect, stall)) {
            if (time.isZero() || time.isNegative()) {
                throw new IllegalArgumentException("time: expected more than none, found " + time);
            }
        }
    }

    /** Returns the defaults. */
    public static FrontLimits defaults() {
        return new FrontLimits(
                1000,
                500,
                500,
                256,
                16 * 1024,
                Duration.ofSeconds(60),
                Duration.ofSeconds(600),
                Duration.ofSeconds(60),
                Duration.ofSeconds(300));
    }

    /** Returns the same with other numbers of sessions. */
    public FrontLimits withSessions(int all, int perAddress, int perUser) {
        return new FrontLimits(all, perAddress, perUser, dataConnections, lineBytes, login, idle, connect, stall);
    }

    /** Returns the same with another number of data connections. */
    public FrontLimits withDataConnections(int most) {
        return new FrontLimits(
                sessions, sessionsPerAddress, sessionsPerUser, most, lineBytes, login, idle, connect, stall);
    }

    /** Returns the same with other limits in time. */
    public FrontLimits withTimes(Duration toLogin, Duration toIdle, Duration toConnect, Duration toStall) {
        return new FrontLimits(
                sessions,
                sessionsPerAddress,
                sessionsPerUser,
                dataConnections,
                lineBytes,
                toLogin,
                toIdle,
                toConnect,
                toStall);
    }
}
