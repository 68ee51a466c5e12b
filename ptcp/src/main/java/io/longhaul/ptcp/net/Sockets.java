package io.longhaul.ptcp.net;

import io.longhaul.ptcp.PtcpConfig;
import io.netty.bootstrap.AbstractBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The sockets that channels are made of: the system's own (epoll) where Netty has them, else Java's.
 *
 * <p>With epoll a stream keeps little that the network has not taken ({@code TCP_NOTSENT_LOWAT}), so that a stream that
 * becomes slow holds up few bytes.
 */
final class Sockets {
    private static final int LOW_WATER_BYTES = 64 * 1024;
    private static final int HIGH_WATER_BYTES = 256 * 1024;
    private static final int LEAST_READ_BYTES = 2 * 1024;
    private static final int FIRST_READ_BYTES = 64 * 1024;
    private static final int MOST_READ_BYTES = 512 * 1024;

    /** Reads before other channels and tasks of the loop have their turn. */
    private static final int READS_IN_A_ROW = 2;

    private static final long UNSENT_BYTES = 256 * 1024;
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

    /** Returns the options of every channel. Nothing is read before the greeting's handler asks for it. */
    static Map<ChannelOption<?>, Object> options(PtcpConfig config) {
        Map<ChannelOption<?>, Object> options = new LinkedHashMap<>();
        options.put(ChannelOption.TCP_NODELAY, true);
        options.put(ChannelOption.SO_KEEPALIVE, true);
        options.put(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(LOW_WATER_BYTES, HIGH_WATER_BYTES));
        options.put(
                ChannelOption.RCVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(LEAST_READ_BYTES, FIRST_READ_BYTES, MOST_READ_BYTES)
                        .maxMessagesPerRead(READS_IN_A_ROW));
        if (config.socketBufferBytes() > 0) {
            options.put(ChannelOption.SO_SNDBUF, config.socketBufferBytes());
            options.put(ChannelOption.SO_RCVBUF, config.socketBufferBytes());
        }
        if (EPOLL) {
            options.put(EpollChannelOption.TCP_NOTSENT_LOWAT, UNSENT_BYTES);
        }
        return options;
    }

    @SuppressWarnings("unchecked") // the map was filled with matching pairs above
    static <B extends AbstractBootstrap<B, C>, C extends Channel> void set(
            B bootstrap, Map<ChannelOption<?>, Object> options) {
        options.forEach((option, value) -> bootstrap.option((ChannelOption<Object>) option, value));
    }
}
