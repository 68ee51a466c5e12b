package io.longhaul.broker.artemis;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.server.cluster.ClusterConnection;
import org.apache.activemq.artemis.core.server.metrics.MetricsManager;
import org.apache.activemq.artemis.spi.core.protocol.ProtocolManager;
import org.apache.activemq.artemis.spi.core.remoting.Acceptor;
import org.apache.activemq.artemis.spi.core.remoting.AcceptorFactory;
import org.apache.activemq.artemis.spi.core.remoting.BufferHandler;
import org.apache.activemq.artemis.spi.core.remoting.ServerConnectionLifeCycleListener;
import org.apache.activemq.artemis.utils.actors.OrderedExecutor;
import org.jspecify.annotations.Nullable;

/**
 * Artemis's acceptor with a {@link ConnectionGuard} at the head of every connection.
 *
 * <h2>Design note</h2>
 * The stock acceptor looks at a stranger's first bytes itself, would take them for HTTP, and gathers what such a
 * stranger sends without a bound. It leaves no place for a handler before that. But it has a mode in which another
 * server owns the sockets and hands it channels; this class is that other server. TLS is the outermost handler and is
 * called {@code ssl}, where Artemis looks for certificates.
 */
final class GuardedNettyAcceptor extends NettyAcceptor {
    private static final int LOW_WATER_BYTES = 256 * 1024;
    private static final int HIGH_WATER_BYTES = 1024 * 1024;
    private static final int SOCKET_BUFFER_BYTES = 1024 * 1024;
    private static final int LEAST_READ_BYTES = 1024;
    private static final int FIRST_READ_BYTES = 16 * 1024;
    private static final int STOP_MILLIS = 2000;
    private final HostPort address;
    private final @Nullable SslContext tls;
    private final QuietLog log;
    private final PlainConnections connections;
    private @Nullable EventLoopGroup loops; // guarded by this
    private @Nullable Channel server; // guarded by this
    private volatile int port;

    private GuardedNettyAcceptor(
            Parts parts, HostPort address, @Nullable SslContext tls, int mostConnections, QuietLog log) {
        super(
                parts.name(),
                parts.cluster(),
                parts.configuration(),
                parts.handler(),
                parts.listener(),
                parts.scheduler(),
                new OrderedExecutor(parts.executor()),
                parts.protocols(),
                parts.threadGroup(),
                parts.metrics());
        this.address = address;
        this.tls = tls;
        this.log = log;
        this.connections = new PlainConnections(mostConnections, log);
    }

    /** What the server gives every acceptor. */
    private record Parts(
            String name,
            @Nullable ClusterConnection cluster,
            Map<String, Object> configuration,
            BufferHandler handler,
            ServerConnectionLifeCycleListener listener,
            Executor executor,
            ScheduledExecutorService scheduler,
            @SuppressWarnings("rawtypes") Map<String, ProtocolManager> protocols,
            String threadGroup,
            @Nullable MetricsManager metrics) {}

    /** Returns what the server makes the acceptor with. */
    static AcceptorFactory factory(HostPort address, @Nullable SslContext tls, int mostConnections, QuietLog log) {
        return new AcceptorFactory() {
            @Override
            @SuppressWarnings("rawtypes")
            public Acceptor createAcceptor(
                    String name,
                    ClusterConnection cluster,
                    Map<String, Object> configuration,
                    BufferHandler handler,
                    ServerConnectionLifeCycleListener listener,
                    Executor executor,
                    ScheduledExecutorService scheduler,
                    Map<String, ProtocolManager> protocols,
                    String threadGroup,
                    MetricsManager metrics) {
                Parts parts = new Parts(
                        name,
                        cluster,
                        configuration,
                        handler,
                        listener,
                        executor,
                        scheduler,
                        protocols,
                        threadGroup,
                        metrics);
                return new GuardedNettyAcceptor(parts, address, tls, mostConnections, log);
            }
        };
    }

    @Override
    protected synchronized void internalStart() throws Exception {
        super.internalStart();
        if (server != null) {
            return;
        }
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
        loops = new NioEventLoopGroup(threads, new DefaultThreadFactory("broker-net", true));
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.SO_RCVBUF, SOCKET_BUFFER_BYTES)
                .childOption(ChannelOption.SO_SNDBUF, SOCKET_BUFFER_BYTES)
                .childOption(
                        ChannelOption.RCVBUF_ALLOCATOR,
                        new AdaptiveRecvByteBufAllocator(LEAST_READ_BYTES, FIRST_READ_BYTES, SOCKET_BUFFER_BYTES))
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(LOW_WATER_BYTES, HIGH_WATER_BYTES))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (connections.enter(channel)) {
                            guard(channel.pipeline());
                        }
                    }
                });
        try {
            server = bootstrap.bind(address.host(), address.port()).sync().channel();
        } catch (Exception e) {
            closeLoops();
            BindException failure = new BindException(address + ": " + e.getMessage());
            failure.initCause(e);
            throw failure;
        }
        port = ((InetSocketAddress) server.localAddress()).getPort();
    }

    private void guard(ChannelPipeline pipeline) {
        if (tls != null) {
            pipeline.addLast("ssl", tls.newHandler(pipeline.channel().alloc()));
        }
        pipeline.addLast("guard", new ConnectionGuard(this::transfer, log));
    }

    @Override
    public int getActualPort() {
        return port;
    }

    @Override
    public synchronized void pause() {
        if (server != null) {
            server.close().awaitUninterruptibly(STOP_MILLIS);
        }
        super.pause();
    }

    @Override
    public synchronized void asyncStop(Runnable callback) {
        if (server != null) {
            server.close().awaitUninterruptibly(STOP_MILLIS);
            server = null;
        }
        super.asyncStop(() -> {
            closeLoops();
            callback.run();
        });
    }

    private synchronized void closeLoops() {
        if (loops != null) {
            loops.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS);
            loops = null;
        }
    }
}
