package io.longhaul.gridftp.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollEventLoop;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Opens connections on event loops of its own, which several pools of sessions may share. Thread-safe. */
public final class Network implements AutoCloseable {
    private static final int THREADS = 2;
    private static final int STOP_MILLIS = 2000;
    private static final int HIGH_WATER_BYTES = 1024 * 1024;
    private static final int LOW_WATER_BYTES = 256 * 1024;
    private static final int MOST_READ_BYTES = 512 * 1024;

    /** A middlebox that forgets silent connections must not forget the control channel of a long transfer. */
    private static final int KEEP_ALIVE_SECONDS = 60;

    private final EventLoopGroup loops;

    /** Starts its loops as they are needed. */
    public Network() {
        DefaultThreadFactory factory = new DefaultThreadFactory("gridftp-client", true);
        this.loops = Epoll.isAvailable()
                ? new EpollEventLoopGroup(THREADS, factory)
                : new NioEventLoopGroup(THREADS, factory);
    }

    EventLoop next() {
        return loops.next();
    }

    /**
     * Connects.
     *
     * @param resolved address
     * @param handlers made on the loop, for a channel that reads nothing until it is asked to when it carries data
     */
    static CompletableFuture<Channel> connect(
            EventLoop loop, InetSocketAddress resolved, Duration limit, boolean autoRead, Handlers handlers) {
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(loop instanceof EpollEventLoop ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.AUTO_READ, autoRead)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) limit.toMillis())
                .option(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(LOW_WATER_BYTES, HIGH_WATER_BYTES))
                .option(
                        ChannelOption.RCVBUF_ALLOCATOR,
                        new AdaptiveRecvByteBufAllocator(2048, 64 * 1024, MOST_READ_BYTES))
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(handlers.of(channel));
                    }
                });
        if (loop instanceof EpollEventLoop) {
            bootstrap.option(EpollChannelOption.TCP_KEEPIDLE, KEEP_ALIVE_SECONDS);
        }
        CompletableFuture<Channel> connected = new CompletableFuture<>();
        bootstrap.connect(resolved).addListener((ChannelFuture done) -> {
            if (!done.isSuccess()) {
                connected.completeExceptionally(done.cause());
            } else if (!connected.complete(done.channel())) {
                done.channel().close();
            }
        });
        return connected;
    }

    /** What a new channel has. */
    @FunctionalInterface
    interface Handlers {
        ChannelHandler[] of(Channel channel);
    }

    @Override
    public void close() {
        loops.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(STOP_MILLIS);
    }
}
