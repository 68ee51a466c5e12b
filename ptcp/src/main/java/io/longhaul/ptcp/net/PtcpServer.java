package io.longhaul.ptcp.net;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.session.OncePerSecond;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Accepts sessions on one address; owns the threads that they run on. Thread-safe. */
public final class PtcpServer implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final int STOP_MILLIS = 2000;

    private final EventLoopGroup loops;
    private final Lobby lobby;
    private final Channel listening;

    private PtcpServer(EventLoopGroup loops, Lobby lobby, Channel listening) {
        this.loops = loops;
        this.lobby = lobby;
        this.listening = listening;
    }

    /**
     * Where and how to accept.
     *
     * @param name of the threads
     * @param address where to listen; port 0 takes a free one
     * @param tls empty for plain connections
     * @param threads number of event loops
     * @param maxConnections most TCP connections at a time. A quarter is for those without a session, of which the
     *     oldest makes room for a newer one; the others are for sessions, and what exceeds them is refused
     * @param logins whether sessions are of users, who are known once {@link PtcpSession#trust} was called: those of
     *     whom nobody is known yet make room for others, too. Else everybody who brings a stream is trusted
     * @param refused is told the kind and the story of what is turned away, one of each kind in a second; must not block
     */
    public record Settings(
            String name,
            InetSocketAddress address,
            Optional<SslContext> tls,
            int threads,
            int maxConnections,
            boolean logins,
            BiConsumer<String, String> refused) {
        /** Keeps {@code refused} from being told too much. */
        public Settings {
            refused = new OncePerSecond(refused, System::nanoTime);
        }

        /** Those of an acceptor that knows no users. */
        public Settings(
                String name,
                InetSocketAddress address,
                Optional<SslContext> tls,
                int threads,
                int maxConnections,
                BiConsumer<String, String> refused) {
            this(name, address, tls, threads, maxConnections, false, refused);
        }
    }

    /**
     * Listens.
     *
     * @param listeners gives each session its listener before anything can arrive
     * @throws IOException when the address cannot be had
     */
    public static PtcpServer launch(Settings settings, PtcpConfig config, Function<PtcpSession, PtcpListener> listeners)
            throws IOException {
        EventLoopGroup loops = Sockets.loops(settings.name(), settings.threads());
        Lobby lobby = new Lobby(config, settings, listeners);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops)
                .channel(Sockets.server())
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (lobby.enter(channel)) {
                            settings.tls()
                                    .ifPresent(tls ->
                                            RecordBound.guard(channel.pipeline(), tls.newHandler(channel.alloc())));
                            lobby.receive(channel);
                        }
                    }
                });
        if (config.socketBufferBytes() > 0) {
            // before listening, since the window's scale is agreed on in the first segment
            bootstrap.option(ChannelOption.SO_RCVBUF, config.socketBufferBytes());
        }
        Sockets.configure(config, bootstrap::childOption);
        try {
            Channel listening =
                    bootstrap.bind(settings.address()).syncUninterruptibly().channel();
            return new PtcpServer(loops, lobby, listening);
        } catch (Exception e) {
            loops.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS);
            InetSocketAddress address = settings.address();
            BindException failure = new BindException(
                    PtcpClient.Target.plain(address.getHostString(), address.getPort()) + ": " + e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }

    /** Returns the port that it listens on. */
    public int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    /** Accepts no more connections; sessions go on, but lose what they could not restore. */
    public void pause() {
        lobby.leave();
        listening.close().awaitUninterruptibly(STOP_MILLIS);
    }

    /** Ends everything at once. */
    @Override
    public void close() {
        pause();
        lobby.close();
        loops.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS);
    }
}
