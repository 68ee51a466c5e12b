package io.longhaul.ptcp.perf;

import java.util.List;
import java.util.OptionalLong;

/**
 * What a test found.
 *
 * @param order what was to be done
 * @param bytes test bytes that the receiver got in time
 * @param nanos from the arrival of the first bytes of the connection to the last that counts, at the receiver
 * @param streams how the streams shared the bytes, by number; lost ones are missing
 * @param streamsLost how many streams died
 * @param resentBytes what was sent again for that
 * @param roundTripNanos as this end measured it; 0 while unknown
 * @param clientCpuNanos CPU time of the opener's process; empty when it left without a word
 * @param serverCpuNanos CPU time of the acceptor's process, which is that of all its tests
 */
public record PerfResult(
        PerfOrder order,
        long bytes,
        long nanos,
        List<Share> streams,
        int streamsLost,
        long resentBytes,
        long roundTripNanos,
        OptionalLong clientCpuNanos,
        OptionalLong serverCpuNanos) {
    /**
     * What one stream carried, with packet data of everything else in the session.
     *
     * @param number of the stream
     * @param sentBytes as the sender counted it
     * @param receivedBytes as the receiver counted it
     */
    public record Share(int number, long sentBytes, long receivedBytes) {}

    /** Returns the rate that the receiver saw. */
    public double bitsPerSecond() {
        return bytes * 8e9 / nanos;
    }

    /** Returns the time of the rate. */
    public double seconds() {
        return nanos / 1e9;
    }
}
