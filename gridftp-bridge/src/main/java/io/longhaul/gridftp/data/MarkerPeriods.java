package io.longhaul.gridftp.data;

import java.time.Duration;

/**
 * How often a transfer tells how far it is; zero for never.
 *
 * @param performance of replies 112
 * @param ranges of replies 111
 */
public record MarkerPeriods(Duration performance, Duration ranges) {
    /** What Globus servers do. */
    public static final MarkerPeriods DEFAULT = new MarkerPeriods(Duration.ofSeconds(5), Duration.ofSeconds(5));

    /** Nothing at all. */
    public static final MarkerPeriods NONE = new MarkerPeriods(Duration.ZERO, Duration.ZERO);
}
