package io.longhaul.ptcp.net;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.session.WriteMarks;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/**
 * The sockets that channels are made of: the system's own (epoll) where Netty has them, else Java's.
 *
 * <p>With epoll a stream keeps little that the network has not taken ({@code TCP_NOTSENT_LOWAT}), so that a stream that
 * becomes slow holds up few bytes.
 */
final class Sockets {
    /** Also what a connection that says one byte and no more costs; busy ones have the greatest after two reads. */
    private static final int LEAST_READ_BYTES = 2 * 1024;

    private static final int MOST_READ_BYTES = 512 * 1024;

    /** Reads before other channels and tasks of the loop have their turn. */
    private static final int READS_IN_A_ROW = 2;

    private static final boolean EPOLL = Epoll.isAvailable();

    private Sockets() {}

    static EventLoopGroup loops(String name, int threads) {
        DefaultThreadFactory factory = new DefaultThreadFactory(name, true);
        return EPOLL ? new EpollEventLoopGroup(threads, factory) : new NioEventLoopGroup(threads, factory);
    }

    static Class<? extends ServerChannel> server() {
        return EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    static Class<? extends Channel> client() {
        return EPOLL ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    /** A bootstrap's way to take an option: of the channel that it makes, or of those that it accepts. */
    @FunctionalInterface
    interface Options {
        <T> Object set(ChannelOption<T> option, T value);
    }

    /** Sets the options of every channel. */
    static void configure(PtcpConfig config, Options options) {
        options.set(ChannelOption.TCP_NODELAY, true);
        options.set(ChannelOption.SO_KEEPALIVE, true);
        options.set(ChannelOption.WRITE_BUFFER_WATER_MARK, WriteMarks.FIRST);
        options.set(
                ChannelOption.RCVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(LEAST_READ_BYTES, LEAST_READ_BYTES, MOST_READ_BYTES)
                        .maxMessagesPerRead(READS_IN_A_ROW));
        if (config.socketBufferBytes() > 0) {
            options.set(ChannelOption.SO_SNDBUF, config.socketBufferBytes());
            options.set(ChannelOption.SO_RCVBUF, config.socketBufferBytes());
        }
        if (EPOLL) {
            options.set(EpollChannelOption.TCP_NOTSENT_LOWAT, (long) WriteMarks.unsentBytes(WriteMarks.FIRST));
        }
    }
}
