package io.longhaul.cli.watch;

import io.longhaul.storage.RealPath;
import java.nio.file.Path;

/** Watched directories in which an agent would find what it writes itself, and publish that for ever. */
public final class WatchLoops {
    private WatchLoops() {}

    /** Refuses a watched directory that holds the agent's data directory. */
    public static void requireWithoutData(Path watched, Path data) {
        if (RealPath.of(data).startsWith(RealPath.of(watched))) {
            throw new IllegalArgumentException(
                    "--watch " + watched + ": expected a directory without the agent's own files,"
                            + " found that --data " + data + " is inside of it");
        }
    }

    /** Refuses a watched directory in which the deliveries of the topic arrive that it is published to. */
    public static void requireWithoutDeliveries(Path watched, Path into, String topic) {
        if (RealPath.of(into).startsWith(RealPath.of(watched))) {
            throw new IllegalArgumentException(
                    "--watch " + watched + "=" + topic + ": expected another directory than where"
                            + " topic " + topic + " is delivered (" + into
                            + "): what arrives there would be published again, without end");
        }
    }
}
