package io.longhaul.ptcp.session;

import io.netty.channel.WriteBufferWaterMark;

/**
 * How much a stream holds that its socket does not take yet: what it carries in a few milliseconds.
 *
 * <p>With less, a fast stream runs empty before the session's thread gives it more. More would wait behind a slow stream
 * that others could carry.
 */
public final class WriteMarks {
    /** Of a stream that is slow, or not known yet. */
    public static final WriteBufferWaterMark LEAST = marks(128 * 1024);

    private static final int MOST_BYTES = 512 * 1024;
    private static final long HELD_MICROS = 5_000;

    private WriteMarks() {}

    /**
     * Returns the marks of a stream.
     *
     * @param window bytes that the network takes in a round trip, by TCP's congestion window
     * @param roundTripMicros as TCP has measured it; 0 where it has not
     */
    static WriteBufferWaterMark of(long window, long roundTripMicros) {
        long held = roundTripMicros == 0 ? 0 : window * HELD_MICROS / roundTripMicros;
        long most = Long.highestOneBit(Math.min(held, MOST_BYTES)); // in steps: it changes rarely
        return most <= LEAST.high() ? LEAST : marks((int) most);
    }

    private static WriteBufferWaterMark marks(int bytes) {
        return new WriteBufferWaterMark(bytes / 2, bytes);
    }
}
