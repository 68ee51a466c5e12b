package io.longhaul.gridftp.front;

import io.longhaul.gridftp.Accounts;
import io.longhaul.gridftp.FrontConfig;
import io.longhaul.gridftp.command.CommandTable;
import io.longhaul.gridftp.data.ArrivingBytes;
import io.longhaul.gridftp.protocol.CommandDecoder;
import io.longhaul.gridftp.session.ControlHandler;
import io.longhaul.gridftp.session.SessionContext;
import io.longhaul.gridftp.session.Sessions;
import io.longhaul.gridftp.spi.Backends;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollMode;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A server for GridFTP and FTP clients on one address. Thread-safe. */
public final class GridFtpFront implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final int STOP_MILLIS = 2000;
    private static final int WORKERS = 4;

    /** Password checks that wait; more are refused, since they would time out anyway. */
    private static final int MOST_WAITING = 256;

    private static final int SOL_SOCKET = 1; // of Linux, as the next: asm-generic/socket.h
    private static final int SO_OOBINLINE = 10;

    /** Some clients send the end of ABOR as urgent data, which the system would leave out otherwise. */
    private static final IntegerUnixChannelOption URGENT_INLINE =
            new IntegerUnixChannelOption("SO_OOBINLINE", SOL_SOCKET, SO_OOBINLINE);

    /** A middlebox that forgets silent connections must not forget the control channel of a long transfer. */
    private static final int KEEP_ALIVE_SECONDS = 60;

    private static final byte[] FULL = "421 Too many sessions.\r\n".getBytes(StandardCharsets.US_ASCII);

    private final EventLoopGroup loops;
    private final ExecutorService workers;
    private final Channel listening;
    private final Sessions sessions;

    private GridFtpFront(EventLoopGroup loops, ExecutorService workers, Channel listening, Sessions sessions) {
        this.loops = loops;
        this.workers = workers;
        this.listening = listening;
        this.sessions = sessions;
    }

    /**
     * Listens.
     *
     * @param threads number of event loops
     * @throws IOException when the address cannot be had
     */
    public static GridFtpFront launch(FrontConfig config, Accounts accounts, Backends backends, int threads)
            throws IOException {
        DefaultThreadFactory factory = new DefaultThreadFactory("gridftp-front", true);
        EventLoopGroup loops = Epoll.isAvailable()
                ? new EpollEventLoopGroup(threads, factory)
                : new NioEventLoopGroup(threads, factory);
        ExecutorService workers = workers();
        Sessions sessions = new Sessions(config.limits());
        // the other half is for what is on its way out, and for all that is not a file
        ArrivingBytes arriving = new ArrivingBytes(PlatformDependent.maxDirectMemory() / 2);
        SessionContext.World world =
                new SessionContext.World(Clock.systemUTC(), System::nanoTime, new SecureRandom(), workers, arriving);
        SessionContext context = new SessionContext(config, accounts, backends, new CommandTable(), sessions, world);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops)
                .channel(Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(new Entrance(context));
        if (Epoll.isAvailable()) {
            bootstrap
                    .childOption(EpollChannelOption.TCP_KEEPIDLE, KEEP_ALIVE_SECONDS)
                    .childOption(URGENT_INLINE, 1)
                    // reading stops before urgent bytes, and no edge tells that they are there
                    .childOption(EpollChannelOption.EPOLL_MODE, EpollMode.LEVEL_TRIGGERED);
        }
        try {
            Channel listening =
                    bootstrap.bind(config.listen()).syncUninterruptibly().channel();
            return new GridFtpFront(loops, workers, listening, sessions);
        } catch (Exception e) {
            loops.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS);
            workers.shutdownNow();
            BindException failure = new BindException(
                    config.listen().getHostString() + ":" + config.listen().getPort() + ": " + e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }

    private static ExecutorService workers() {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor workers = new ThreadPoolExecutor(
                WORKERS, WORKERS, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_WAITING), task -> {
                    Thread thread = new Thread(task, "gridftp-login-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        workers.allowCoreThreadTimeOut(true);
        return workers;
    }

    /** Lets clients in as long as there is room. */
    private static final class Entrance extends ChannelInitializer<Channel> {
        private final SessionContext context;

        Entrance(SessionContext context) {
            this.context = context;
        }

        @Override
        protected void initChannel(Channel channel) {
            if (!(channel.remoteAddress() instanceof InetSocketAddress remote)) {
                // gone before it was in
                channel.close();
                return;
            }
            InetAddress address = remote.getAddress();
            if (!context.sessions().enter(address)) {
                channel.writeAndFlush(channel.alloc().buffer(FULL.length).writeBytes(FULL))
                        .addListener(done -> channel.close());
                return;
            }
            CommandDecoder decoder =
                    new CommandDecoder(context.config().limits().lineBytes());
            ControlHandler handler = new ControlHandler(context, decoder);
            channel.closeFuture()
                    .addListener(done ->
                            handler.closed().thenRun(() -> context.sessions().leave(address)));
            channel.pipeline().addLast(decoder, handler);
        }
    }

    /** Returns the port that it listens on. */
    public int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    /** Returns how many clients there are. */
    public int sessions() {
        return sessions.count();
    }

    /** Closes all connections; transfers that are not whole leave nothing. Idempotent. */
    @Override
    public void close() {
        listening.close().awaitUninterruptibly(STOP_MILLIS);
        loops.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(STOP_MILLIS);
        workers.shutdownNow();
    }
}
