package io.longhaul.gridftp.data;

import io.longhaul.gridftp.AddressBlock;
import io.longhaul.gridftp.FrontLimits;
import io.longhaul.gridftp.PortRange;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollEventLoop;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * How data connections of one session come about, and with whom.
 *
 * @param loop of the session
 * @param client who has the control connection
 * @param local the address that it came to; data connections come there too, and go from there where that can be
 * @param thirdParties who else may have data connections
 * @param ports to listen on
 * @param random chooses among them, so that nobody can tell the next one
 */
public record DataNetwork(
        EventLoop loop,
        InetAddress client,
        InetAddress local,
        List<AddressBlock> thirdParties,
        PortRange ports,
        FrontLimits limits,
        RandomGenerator random) {
    private static final int BACKLOG = 128;
    private static final int LEAST_PORT = 1024;
    private static final int HIGH_WATER_BYTES = 1024 * 1024;
    private static final int LOW_WATER_BYTES = 256 * 1024;
    private static final int MOST_READ_BYTES = 512 * 1024;
    private static final int TRIES = 200;

    /** Who asks for {@code localhost} may come by either; all other addresses of 127/8 may be somebody else's. */
    private static final Set<InetAddress> LOCALHOST = Set.of(NetUtil.LOCALHOST4, NetUtil.LOCALHOST6);

    /** Returns whether a data connection may come from an address. */
    boolean mayComeFrom(InetAddress address) {
        return address.equals(client)
                || LOCALHOST.contains(address) && LOCALHOST.contains(client)
                || thirdParties.stream().anyMatch(block -> block.contains(address));
    }

    /** Returns whether a data connection may go to an address: never to a port that services listen on. */
    public boolean mayGoTo(InetSocketAddress address) {
        return address.getPort() >= LEAST_PORT && mayComeFrom(address.getAddress());
    }

    /** Listens on a port of the range; strangers are dropped before anybody hears of them. */
    CompletableFuture<Channel> listen(Consumer<DataLink> accepted) {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loop, loop)
                .channel(loop instanceof EpollEventLoop ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        InetSocketAddress from = (InetSocketAddress) channel.remoteAddress();
                        if (from == null || !mayComeFrom(from.getAddress())) {
                            channel.close();
                            return;
                        }
                        DataLink link = new DataLink(channel);
                        channel.pipeline().addLast(link);
                        // on the same loop, but not before it is registered there
                        loop.execute(() -> accepted.accept(link));
                    }
                });
        configure(bootstrap::childOption);
        CompletableFuture<Channel> listening = new CompletableFuture<>();
        int first = ports.isAny() ? 0 : random.nextInt(ports.count());
        bind(bootstrap, first, 0, listening);
        return listening;
    }

    private void bind(ServerBootstrap bootstrap, int first, int tries, CompletableFuture<Channel> listening) {
        int port = ports.isAny() ? 0 : ports.first() + (first + tries) % ports.count();
        bootstrap.bind(local, port).addListener((ChannelFuture bound) -> {
            if (bound.isSuccess()) {
                if (!listening.complete(bound.channel())) {
                    bound.channel().close();
                }
            } else if (!ports.isAny() && tries + 1 < Math.min(TRIES, ports.count())) {
                bind(bootstrap, first, tries + 1, listening);
            } else {
                listening.completeExceptionally(new IOException("no free port to listen on", bound.cause()));
            }
        });
    }

    /** Connects. */
    CompletableFuture<DataLink> connect(InetSocketAddress address) {
        CompletableFuture<DataLink> connected = new CompletableFuture<>();
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(loop instanceof EpollEventLoop ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        limits.connect().toMillis())
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new DataLink(channel));
                    }
                });
        configure(bootstrap::option);
        if (canReach(address.getAddress())) {
            bootstrap.localAddress(new InetSocketAddress(local, 0));
        }
        bootstrap.connect(address).addListener((ChannelFuture done) -> {
            if (done.isSuccess()) {
                connected.complete(Optional.ofNullable(done.channel().pipeline().get(DataLink.class))
                        .orElseThrow());
            } else {
                connected.completeExceptionally(done.cause());
            }
        });
        return connected;
    }

    /**
     * Returns whether connections from the address that the client came to can reach another one: of the other internet
     * protocol, and from loopback out of the machine, there is no way.
     */
    boolean canReach(InetAddress address) {
        return local.getClass() == address.getClass() && (!local.isLoopbackAddress() || address.isLoopbackAddress());
    }

    /** A bootstrap's way to take an option: of the channel that it makes, or of those that it accepts. */
    @FunctionalInterface
    private interface Options {
        <T> Object set(ChannelOption<T> option, T value);
    }

    private static void configure(Options options) {
        options.set(ChannelOption.TCP_NODELAY, true);
        options.set(ChannelOption.SO_KEEPALIVE, true);
        options.set(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(LOW_WATER_BYTES, HIGH_WATER_BYTES));
        options.set(ChannelOption.RCVBUF_ALLOCATOR, new AdaptiveRecvByteBufAllocator(2048, 64 * 1024, MOST_READ_BYTES));
    }
}
