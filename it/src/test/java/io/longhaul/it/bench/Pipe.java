package io.longhaul.it.bench;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.net.PtcpClient;
import io.longhaul.ptcp.net.PtcpServer;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A connection over loopback inside this process, from its writer to a receiver that counts. */
interface Pipe extends AutoCloseable {
    int THREADS = 2;

    boolean isWritable();

    /** Takes ownership of the bytes. */
    void write(ByteBuf bytes);

    /** Returns where the writer must run. */
    Executor executor();

    @Override
    void close();

    /** Over one TCP connection, with Netty's defaults. */
    static Pipe netty(LongConsumer received, Runnable writable) throws InterruptedException {
        EventLoopGroup loops = new EpollEventLoopGroup(THREADS);
        Channel server = new ServerBootstrap()
                .group(loops)
                .channel(EpollServerSocketChannel.class)
                .childHandler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public boolean isSharable() {
                        return true;
                    }

                    @Override
                    public void channelRead(ChannelHandlerContext context, Object message) {
                        ByteBuf bytes = (ByteBuf) message;
                        received.accept(bytes.readableBytes());
                        bytes.release();
                    }
                })
                .bind("127.0.0.1", 0)
                .sync()
                .channel();
        Channel channel = new Bootstrap()
                .group(loops)
                .channel(EpollSocketChannel.class)
                .handler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelWritabilityChanged(ChannelHandlerContext context) {
                        writable.run();
                    }
                })
                .connect(server.localAddress())
                .sync()
                .channel();
        return new Pipe() {
            @Override
            public boolean isWritable() {
                return channel.isWritable();
            }

            @Override
            public void write(ByteBuf bytes) {
                channel.writeAndFlush(bytes, channel.voidPromise());
            }

            @Override
            public Executor executor() {
                return channel.eventLoop();
            }

            @Override
            public void close() {
                loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
            }
        };
    }

    /** Over parallel TCP. */
    static Pipe parallel(int streams, LongConsumer received, Runnable writable) throws Exception {
        PtcpConfig config = PtcpConfig.defaults().withStreams(streams);
        PtcpServer server = PtcpServer.launch(
                new PtcpServer.Settings(
                        "bench-server",
                        new InetSocketAddress("127.0.0.1", 0),
                        Optional.empty(),
                        THREADS,
                        1000,
                        (kind, text) -> System.err.println(kind + ": " + text)),
                config,
                session -> new End(received, () -> {}));
        PtcpClient client = PtcpClient.launch("bench-client", THREADS);
        PtcpSession session = client.open(
                        PtcpClient.Target.plain("127.0.0.1", server.port()),
                        config,
                        opened -> new End(bytes -> {}, writable))
                .get(10, TimeUnit.SECONDS);
        return new Pipe() {
            @Override
            public boolean isWritable() {
                return session.isWritable();
            }

            @Override
            public void write(ByteBuf bytes) {
                session.write(bytes);
            }

            @Override
            public Executor executor() {
                return session.executor();
            }

            @Override
            public void close() {
                client.close();
                server.close();
            }
        };
    }

    /** One end of a session. */
    record End(LongConsumer taken, Runnable writable) implements PtcpListener {
        @Override
        public void received(ByteBuf bytes) {
            taken.accept(bytes.readableBytes());
        }

        @Override
        public void writabilityChanged(boolean more) {
            if (more) {
                writable.run();
            }
        }

        @Override
        public void closed(@Nullable PtcpException cause) {
            if (cause != null) {
                System.err.println(cause.getMessage());
            }
        }
    }
}
