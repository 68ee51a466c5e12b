package io.longhaul.ptcp;

import java.util.List;

/**
 * Counters of a session at one moment.
 *
 * @param sentBytes payload handed to streams for the first time
 * @param resentBytes payload sent again since its stream was lost
 * @param acknowledgedBytes payload that the other end has received in order
 * @param receivedBytes payload received in order
 * @param streamsLost how many streams died
 * @param wantedStreams number of streams that this end aims at
 * @param roundTripNanos time from a question on the control channel to its answer; 0 while unknown
 * @param silentNanos time since something came on the control channel; {@link Long#MAX_VALUE} while there is none
 * @param streams the live data channels
 */
public record PtcpSnapshot(
        long sentBytes,
        long resentBytes,
        long acknowledgedBytes,
        long receivedBytes,
        long streamsLost,
        int wantedStreams,
        long roundTripNanos,
        long silentNanos,
        List<Stream> streams) {
    /**
     * A data channel.
     *
     * @param number its number, unique in the session
     * @param sentBytes payload that was handed to it
     * @param receivedBytes payload that came over it
     */
    public record Stream(int number, long sentBytes, long receivedBytes) {}
}
