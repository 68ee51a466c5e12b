package io.longhaul.ptcp.session;

import io.netty.channel.epoll.EpollTcpInfo;
import java.util.List;

/**
 * What TCP says of the path: whether it is full, and whether it loses packets though it is not.
 *
 * <p>Where a link is full, its queue grows before it overflows, so that the round trip is longer than it was at its best.
 * Event loop only.
 */
final class PathWatch {
    private static final double CROWDED = 1.3;
    private static final long CROWDED_MICROS = 5_000;

    private final EpollTcpInfo info = new EpollTcpInfo();
    private boolean lost;
    private long leastMicros = Long.MAX_VALUE;
    private long mostMicros;

    /** Looks at the streams, several times in an interval. */
    void look(List<DataChannel> channels) {
        for (DataChannel channel : channels) {
            if (channel.read(info)) {
                lost |= channel.isNewLoss(info.totalRetrans());
                if (info.rtt() > 0) {
                    leastMicros = Math.min(leastMicros, info.rtt());
                    mostMicros = Math.max(mostMicros, info.rtt());
                }
            }
        }
    }

    /** Returns what the path is like in the interval so far. */
    StreamCount.Path path() {
        if (mostMicros > CROWDED * leastMicros + CROWDED_MICROS) {
            return StreamCount.Path.FULL;
        }
        return lost ? StreamCount.Path.LOSSY : StreamCount.Path.CLEAR;
    }

    /** Begins the next interval. */
    void next() {
        lost = false;
        mostMicros = 0;
    }
}
