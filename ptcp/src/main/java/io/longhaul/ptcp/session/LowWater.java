package io.longhaul.ptcp.session;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.handler.ssl.SslHandler;
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

    private static final int MOST_BYTES = 32 * 1024;
    private static final long FAST_NS_A_BYTE = 1_000;

    private final Channel channel;
    private final LongSupplier clock;
    private boolean supported;
    private int bytes = 1;
    private long sinceNs;

    LowWater(Channel channel, LongSupplier clock) {
        this.channel = channel;
        this.clock = clock;
        this.supported =
                channel instanceof EpollSocketChannel && channel.pipeline().get(SslHandler.class) == null;
        this.sinceNs = clock.getAsLong();
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
        boolean fast = nowNs - sinceNs < came * FAST_NS_A_BYTE;
        sinceNs = nowNs;
        int wanted = fast ? Math.max(1, Math.min(missing, MOST_BYTES)) : 1;
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
