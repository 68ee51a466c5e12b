package io.longhaul.ptcp.session;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What TCP says of the path: whether it is full, and whether it loses packets though it is not.
 *
 * <p>Where a link is full, its queue grows before it overflows, so that the round trip is longer than it was at its
 * best, which is forgotten after some minutes: packets may go a longer way by then. Event loop only.
 */
final class PathWatch {
    private static final double CROWDED = 1.3;
    private static final long CROWDED_MICROS = 5_000;

    private static final long MEMORY_NS = Duration.ofMinutes(2).toNanos();

    /** A path that loses a packet of ten thousand does not do so in each interval. */
    private static final int LOSSY_INTERVALS = 4;

    private int lossyIntervals; // this one and those to come
    private long leastMicros = Long.MAX_VALUE;
    private long leastBeforeMicros = Long.MAX_VALUE;
    private long leastSinceNs;
    private long mostMicros;

    /** Looks at all streams of a session, several times in an interval. */
    void look(List<DataChannel> channels, long nowNs) {
        for (DataChannel channel : channels) {
            TcpState state = channel.look();
            if (state != null) {
                lost(channel.isNewLoss(state.retransmits()));
                if (state.roundTripMicros() > 0) {
                    roundTrip(state.roundTripMicros(), nowNs);
                }
            }
        }
    }

    /** Takes whether a packet was lost. */
    void lost(boolean one) {
        if (one) {
            lossyIntervals = LOSSY_INTERVALS;
        }
    }

    /** Takes one round trip. */
    void roundTrip(long micros, long nowNs) {
        if (leastMicros == Long.MAX_VALUE || nowNs - leastSinceNs >= MEMORY_NS) {
            leastBeforeMicros = leastMicros;
            leastMicros = micros;
            leastSinceNs = nowNs;
        }
        leastMicros = Math.min(leastMicros, micros);
        mostMicros = Math.max(mostMicros, micros);
    }

    /** Returns what the path is like in the interval so far. */
    StreamCount.Path path() {
        if (mostMicros > CROWDED * leastMicros() + CROWDED_MICROS) {
            return StreamCount.Path.FULL;
        }
        return lossyIntervals > 0 ? StreamCount.Path.LOSSY : StreamCount.Path.CLEAR;
    }

    /** Returns the round trip of the path while it is empty, 0 while it is not known. */
    long roundTripNs() {
        return leastMicros() == Long.MAX_VALUE ? 0 : TimeUnit.MICROSECONDS.toNanos(leastMicros());
    }

    private long leastMicros() {
        return Math.min(leastMicros, leastBeforeMicros);
    }

    /** Begins the next interval. */
    void next() {
        lossyIntervals = Math.max(0, lossyIntervals - 1);
        mostMicros = 0;
    }
}
