package io.longhaul.gridftp.protocol;

import io.longhaul.gridftp.range.ByteRange;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The preliminary replies by which a server tells how far a transfer is (GFD.20 section 3.5). */
public final class Markers {
    private static final double MILLIS = 1000.0;

    private Markers() {}

    /**
     * Returns a performance marker.
     *
     * @param bytes moved by this transfer up to now
     */
    public static Reply performance(Instant time, long bytes) {
        return Reply.of(
                112,
                "Perf Marker",
                List.of(
                        String.format(Locale.ROOT, " Timestamp: %.1f", time.toEpochMilli() / MILLIS),
                        " Stripe Index: 0",
                        " Stripe Bytes Transferred: " + bytes,
                        " Total Stripe Count: 1"),
                "End.");
    }

    /** Returns a range marker of what has become durable since the last one. */
    public static Reply ranges(List<ByteRange> ranges) {
        return Reply.of(
                111, "Range Marker " + ranges.stream().map(ByteRange::toString).collect(Collectors.joining(",")));
    }

    /** Returns the sign of life of a checksum in the making. */
    public static Reply checksum(Instant time, long bytes) {
        return Reply.of(
                113,
                "Status Marker",
                List.of(
                        String.format(Locale.ROOT, " Timestamp: %.1f", time.toEpochMilli() / MILLIS),
                        " Bytes Processed: " + bytes),
                "End.");
    }
}
