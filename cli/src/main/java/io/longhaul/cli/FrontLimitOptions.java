package io.longhaul.cli;

import io.longhaul.cli.option.TimeSpan;
import io.longhaul.gridftp.FrontLimits;
import java.time.Duration;
import picocli.CommandLine.Option;

/** What the clients of a front may use up. */
final class FrontLimitOptions {
    private static final FrontLimits DEFAULTS = FrontLimits.defaults();
    private static final Duration LEAST = Duration.ofSeconds(1);

    @Option(
            names = "--session-limit",
            paramLabel = "N",
            description = "Most sessions at a time, 1 to 100000. Default: 1000.")
    private int sessions = DEFAULTS.sessions();

    @Option(
            names = "--session-limit-address",
            paramLabel = "N",
            description = "Most sessions at a time from one address. Default: 500.")
    private int perAddress = DEFAULTS.sessionsPerAddress();

    @Option(
            names = "--session-limit-user",
            paramLabel = "N",
            description = "Most sessions at a time of one user, but for anonymous ones. Default: 500.")
    private int perUser = DEFAULTS.sessionsPerUser();

    @Option(
            names = "--idle-timeout",
            paramLabel = "TIME",
            converter = TimeSpan.class,
            description = "How long a session may be without a command or a transfer, at least 1s. Default: 10m.")
    private Duration idle = DEFAULTS.idle();

    @Option(
            names = "--stall-timeout",
            paramLabel = "TIME",
            converter = TimeSpan.class,
            description = "How long a transfer with a client may go on without a byte, at least 1s. Default: 5m.")
    private Duration stall = DEFAULTS.stall();

    FrontLimits limits() {
        return DEFAULTS.withSessions(
                        count("--session-limit", sessions),
                        count("--session-limit-address", perAddress),
                        count("--session-limit-user", perUser))
                .withTimes(
                        DEFAULTS.login(),
                        time("--idle-timeout", idle),
                        DEFAULTS.connect(),
                        time("--stall-timeout", stall));
    }

    private static int count(String option, int count) {
        if (count < 1 || count > FrontLimits.MOST_SESSIONS) {
            throw new IllegalArgumentException(
                    option + ": expected 1.." + FrontLimits.MOST_SESSIONS + ", found " + count);
        }
        return count;
    }

    private static Duration time(String option, Duration time) {
        if (time.compareTo(LEAST) < 0) {
            throw new IllegalArgumentException(
                    option + ": expected at least " + LEAST.toSeconds() + "s, found " + time.toMillis() + "ms");
        }
        return time;
    }
}
