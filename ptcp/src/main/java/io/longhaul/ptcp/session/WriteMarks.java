package io.longhaul.ptcp.session;

import io.netty.channel.WriteBufferWaterMark;

/**
 * How much a stream holds that its socket does not take yet, and how much of that again its socket, which the network does not:
 * what it carries in some milliseconds.
 *
 * <p>With less, a fast stream runs empty before the session's thread gives it more. More would wait behind a slow stream
 * that others could carry, and once what they carried meanwhile fills the window, they stand still.
 */
public final class WriteMarks {
    private static final int LEAST_BYTES = 32 * 1024;

    /** Of a stream that is not known yet: little, so that the first window begins all streams and not a few of many. */
    public static final WriteBufferWaterMark FIRST = marks(LEAST_BYTES);

    private static final int FEW_UNSENT_BYTES = 64 * 1024;
    private static final int MOST_BYTES = 512 * 1024;
    private static final long HELD_MICROS = 50_000;

    private WriteMarks() {}

    /**
     * Returns the marks of a stream.
     *
     * @param window bytes that the network takes in a round trip, by TCP's congestion window
     * @param roundTripMicros as TCP has measured it; 0 where it has not
     */
    static WriteBufferWaterMark of(long window, long roundTripMicros) {
        if (roundTripMicros == 0) {
            return FIRST;
        }
        long held = Math.min(window * HELD_MICROS / roundTripMicros, MOST_BYTES);
        return marks((int) Math.max(LEAST_BYTES, Long.highestOneBit(held))); // in steps: it changes rarely
    }

    /** Returns the most that a socket with these marks holds and the network has not taken. */
    public static int unsentBytes(WriteBufferWaterMark marks) {
        return Math.max(Math.min(marks.high(), FEW_UNSENT_BYTES), marks.high() / 2);
    }

    private static WriteBufferWaterMark marks(int bytes) {
        return new WriteBufferWaterMark(bytes / 2, bytes);
    }
}
