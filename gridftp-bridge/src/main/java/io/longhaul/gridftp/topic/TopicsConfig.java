package io.longhaul.gridftp.topic;

import io.longhaul.gridftp.spi.Quorum;
import java.time.Duration;

/**
 * How topics are served.
 *
 * @param quorum how many subscriptions must have a file before its client is told so, where the session says nothing;
 *     default all
 * @param patience how long a client waits for that; what is published goes on to all; default 1 h
 * @param keptFor how long the bytes of a file that everybody has are kept for clients that compare or repeat; default 10
 *     min
 * @param keptBytes most bytes of such files, but for the last one; default 4 GiB
 * @param listedFor how long a file is listed; default 24 h
 * @param listedFiles most files that are listed and that everybody has; default 10,000
 * @param waitingFiles most files that wait to be published while the broker is away; default 10,000
 */
public record TopicsConfig(
        Quorum quorum,
        Duration patience,
        Duration keptFor,
        long keptBytes,
        Duration listedFor,
        int listedFiles,
        int waitingFiles) {
    /** Returns the defaults. */
    public static TopicsConfig defaults() {
        return new TopicsConfig(
                Quorum.ALL,
                Duration.ofHours(1),
                Duration.ofMinutes(10),
                4L << 30,
                Duration.ofHours(24),
                10_000,
                10_000);
    }

    /** Returns the same with another quorum and patience. */
    public TopicsConfig withQuorum(Quorum newQuorum, Duration newPatience) {
        return new TopicsConfig(newQuorum, newPatience, keptFor, keptBytes, listedFor, listedFiles, waitingFiles);
    }

    /** Returns the same with another limit of files that wait. */
    TopicsConfig withWaitingFiles(int newWaitingFiles) {
        return new TopicsConfig(quorum, patience, keptFor, keptBytes, listedFor, listedFiles, newWaitingFiles);
    }
}
