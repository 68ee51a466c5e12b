package io.longhaul.ptcp.perf;

/**
 * Where a test is.
 *
 * @param nanos since its start; 0 before
 * @param bytes acknowledged by the receiver; when this end receives, test bytes that it has counted
 * @param streams number of live streams
 * @param roundTripNanos 0 while unknown
 */
public record PerfProgress(long nanos, long bytes, int streams, long roundTripNanos) {}
