package io.longhaul.ptcp.contract;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The contract, asked of one TCP connection: what parallel TCP is measured by. */
class TcpTransportIT extends AbstractTransportContract {
    private final EventLoopGroup loops = new NioEventLoopGroup(2);

    private static final class End extends ChannelInboundHandlerAdapter implements ByteStream {
        private final Channel channel;
        private final Received received;

        private End(Channel channel, long seed) {
            this.channel = channel;
            this.received = new Received(seed);
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            received.take((ByteBuf) message);
            ((ByteBuf) message).release();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            received.ended(null);
        }

        @Override
        public void write(ByteBuf bytes) {
            channel.writeAndFlush(bytes);
        }

        @Override
        public boolean isWritable() {
            return channel.isWritable();
        }

        @Override
        public void setReading(boolean reading) {
            channel.config().setAutoRead(reading);
        }

        @Override
        public void close() {
            channel.writeAndFlush(channel.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
        }

        @Override
        public Received received() {
            return received;
        }
    }

    @Override
    Ends connect() throws Exception {
        CompletableFuture<End> accepted = new CompletableFuture<>();
        CompletableFuture<End> opened = new CompletableFuture<>();
        Channel server = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(initializer(OPENERS, accepted))
                .bind("127.0.0.1", 0)
                .sync()
                .channel();
        new Bootstrap()
                .group(loops)
                .channel(NioSocketChannel.class)
                .handler(initializer(ACCEPTORS, opened))
                .connect(server.localAddress())
                .sync();
        return new Ends(opened.get(), accepted.get());
    }

    private static ChannelInitializer<Channel> initializer(long seed, CompletableFuture<End> made) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                End end = new End(channel, seed);
                channel.pipeline().addLast(end);
                made.complete(end);
            }
        };
    }

    @Override
    void disconnect() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
