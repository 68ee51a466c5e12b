package io.longhaul.ptcp.session;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.handler.ssl.SslHandler;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From how many bytes on the system wakes the reader of a stream ({@code SO_RCVLOWAT}, socket(7)): of a fast stream not for each
 * segment, but for what is missing of a packet. Event loop only.
 *
 * <p>A slow stream is read as its bytes come, which are its signs of life. So is one with TLS, since nobody knows how many of the
 * missing bytes are here already, in a record that is not whole.
 */
final class LowWater {
    private static final Logger LOG = LoggerFactory.getLogger(LowWater.class);

    /** As {@code SOL_SOCKET} and {@code SO_RCVLOWAT} are on the systems for which Netty has epoll. */
    static final IntegerUnixChannelOption SO_RCVLOWAT = new IntegerUnixChannelOption("SO_RCVLOWAT", 1, 18);

    private static final int MOST_BYTES = 512 * 1024;

    /** Of a buffer that does not grow, so much may stay unread. */
    private static final int BUFFER_PART = 8;

    /** Longer than most round trips, as what TCP's slow start sends comes in bursts. */
    private static final long SPAN_NS = Duration.ofMillis(100).toNanos();

    /** What a stream carries in a span that is slow. */
    private static final long SLOW_BYTES = 100_000;

    /** Of what comes in a span, so much may stay unread: it narrows TCP's window and hides how fast the stream is. */
    private static final int PART = 8;

    /** The same of a stream that has found its rate: TCP gives its buffer room for twice the mark. */
    private static final int STEADY_PART = 2;

    /** What a stream that has found its rate carries at most, in parts of what it carried in the span before. */
    private static final double STEADY_GROWTH = 1.25;

    /** Much less than anybody waits for a sign of life. */
    private static final long HUSH_NS = Duration.ofSeconds(1).toNanos();

    private final Channel channel;
    private final LongSupplier clock;
    private final int boundBytes;
    private boolean supported;
    private int mostBytes = 1;
    private int bytes = 1;
    private long readNs;
    private long sinceNs;
    private long bytesSince;
    private long carriedBefore;

    LowWater(Channel channel, LongSupplier clock, int boundBytes) {
        this.channel = channel;
        this.clock = clock;
        this.boundBytes = boundBytes;
        this.supported =
                channel instanceof EpollSocketChannel && channel.pipeline().get(SslHandler.class) == null;
        this.sinceNs = clock.getAsLong();
        this.readNs = sinceNs;
    }

    /** Returns the most for a socket whose receive buffer was set to so much; 0 where the system has it grow. */
    static int boundBytes(int bufferBytes) {
        return bufferBytes == 0 ? MOST_BYTES : Math.min(Math.max(1, bufferBytes / BUFFER_PART), MOST_BYTES);
    }

    /**
     * Takes what came, and how much is missing of the packet that came last.
     *
     * @param came bytes since the last call
     * @param missing no more than will come
     */
    void next(long came, int missing) {
        if (!supported) {
            return;
        }
        long nowNs = clock.getAsLong();
        readNs = nowNs;
        long lengthNs = nowNs - sinceNs;
        bytesSince += came;
        if (lengthNs >= SPAN_NS) {
            long carried = (long) ((double) bytesSince * SPAN_NS / lengthNs);
            int part = carried > carriedBefore * STEADY_GROWTH ? PART : STEADY_PART;
            mostBytes = carried < SLOW_BYTES ? 1 : (int) Math.min(carried / part, boundBytes);
            carriedBefore = carried;
            sinceNs = nowNs;
            bytesSince = 0;
        }
        set(Math.max(1, Math.min(missing, mostBytes)));
    }

    /** Has the reader woken for whatever is there when a stream that was fast has brought less than that for a while. */
    void tick() {
        if (clock.getAsLong() - readNs > HUSH_NS) {
            set(1);
        }
    }

    private void set(int wanted) {
        if (wanted == bytes || !channel.isOpen()) {
            return;
        }
        try {
            channel.config().setOption(SO_RCVLOWAT, wanted);
            bytes = wanted;
        } catch (ChannelException e) {
            supported = false;
            LOG.debug("{}: the system wakes its reader for each byte", channel, e);
        }
    }
}
