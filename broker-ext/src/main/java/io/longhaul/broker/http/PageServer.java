package io.longhaul.broker.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Listens on one address and shows pages; owns the thread that it does so on. Thread-safe. */
public final class PageServer implements AutoCloseable {
    private static final int BACKLOG = 64;
    private static final int STOP_MILLIS = 2000;

    private final EventLoopGroup loop;
    private final Channel listening;

    private PageServer(EventLoopGroup loop, Channel listening) {
        this.loop = loop;
        this.listening = listening;
    }

    /**
     * What a client may use up.
     *
     * @param connections at a time, all clients together
     * @param lineBytes of a request's first line
     * @param headerBytes of its header
     * @param exchange from the connection to the end of the answer
     */
    public record Limits(int connections, int lineBytes, int headerBytes, Duration exchange) {
        /** Returns 32 connections, 1 KiB, 8 KiB, 10 s. */
        public static Limits defaults() {
            return new Limits(32, 1024, 8 * 1024, Duration.ofSeconds(10));
        }
    }

    /**
     * Listens.
     *
     * @param thread name of the event loop
     * @param address port 0 takes a free one
     * @throws IOException when the address cannot be had
     */
    public static PageServer listen(String thread, InetSocketAddress address, Limits limits, Pages pages)
            throws IOException {
        EventLoopGroup loop = new NioEventLoopGroup(1, task -> {
            Thread made = new Thread(task, thread);
            made.setDaemon(true);
            return made;
        });
        // Its few buffers are not worth an arena of Netty's pool.
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
                .childHandler(new PageConnections(pages, limits));
        try {
            return new PageServer(
                    loop, bootstrap.bind(address).syncUninterruptibly().channel());
        } catch (Exception e) {
            stop(loop);
            // Netty throws what the system says, declared or not.
            throw e instanceof IOException io ? io : new IOException(e.getMessage(), e);
        }
    }

    /** Returns the port that it listens on. */
    public int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    /** Closes all connections. Idempotent. */
    @Override
    public void close() {
        listening.close().awaitUninterruptibly(STOP_MILLIS);
        stop(loop);
    }

    private static void stop(EventLoopGroup loop) {
        loop.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS);
    }
}
