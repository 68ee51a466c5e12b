package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.frame.Greeting;
import io.longhaul.ptcp.frame.Secret;
import io.longhaul.ptcp.frame.SessionId;
import io.longhaul.ptcp.net.Deaf;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.RawUnixChannelOption;
import io.netty.util.internal.PlatformDependent;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Streams over sockets of the system, some of which lose every segment without a word. The session's time is the test's. */
final class DeadLinesIT {
    private static final int MIB = 1024 * 1024;
    private static final int STREAMS = 4;
    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final Duration ONE_BY_ONE = LIMIT.multipliedBy(STREAMS - 1);
    private static final Duration STEP = Duration.ofMillis(250);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final AtomicLong nowNs = new AtomicLong(1);
    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
    private final List<Channel> far = new CopyOnWriteArrayList<>(); // of data channels
    private @Nullable EventLoopGroup loops;
    private @Nullable Channel listening;
    private @Nullable Session acceptor;

    @BeforeEach
    void listen() {
        Assumptions.assumeTrue(Epoll.isAvailable(), "the system tells of TCP's acknowledgements");
        loops = new EpollEventLoopGroup(2);
        listening = new ServerBootstrap()
                .group(loops)
                .channel(EpollServerSocketChannel.class)
                .childOption(ChannelOption.AUTO_READ, false)
                .childHandler(greeted(accepted::add))
                .bind("127.0.0.1", 0)
                .syncUninterruptibly()
                .channel();
    }

    @AfterEach
    void stop() {
        if (loops != null) {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    /** Where a greeting has been read already. */
    private static ChannelHandler greeted(Consumer<Channel> made) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(Takeover.GREETING, new ChannelInboundHandlerAdapter());
                made.accept(channel);
            }
        };
    }

    /** Returns the near end of a new connection; the far one is the next accepted. */
    private Channel connect() {
        return new Bootstrap()
                .group(loops)
                .channel(EpollSocketChannel.class)
                .option(ChannelOption.AUTO_READ, false)
                .handler(greeted(channel -> {}))
                .connect((InetSocketAddress) listening.localAddress())
                .syncUninterruptibly()
                .channel();
    }

    private Channel accept() throws InterruptedException {
        return accepted.take();
    }

    private CompletableFuture<Channel> dial(Greeting.Kind kind, int number) {
        return CompletableFuture.supplyAsync(() -> join(number));
    }

    /** One after the other, so that the two ends are of the same connection. */
    private synchronized Channel join(int number) {
        try {
            Channel near = connect();
            Channel other = accept();
            far.add(other);
            acceptor.join(number, other);
            return near;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Session session(Channel control, @Nullable Dialer dialer) {
        SessionTerms terms =
                new SessionTerms(SessionId.NONE, Secret.random(new Random(1)), STREAMS, 65_536, 8 * MIB, MIB);
        PtcpConfig defaults = PtcpConfig.defaults().withStreams(STREAMS);
        PtcpConfig config =
                defaults.withLimits(defaults.connectTimeout(), LIMIT, defaults.restoreLimit(), defaults.keepAlive());
        return new Session(terms, config, control, dialer, made -> new Deaf(), cause -> {}, nowNs::get);
    }

    /** What comes is thrown away before TCP sees it, as where a line has failed. */
    private static void lose(Channel channel) {
        ByteBuffer program = ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder());
        program.putShort(0, (short) 6); // return 0 bytes
        ByteBuffer filter = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
        filter.putShort(0, (short) 1).putLong(8, PlatformDependent.directBufferAddress(program));
        channel.config().setOption(new RawUnixChannelOption("SO_ATTACH_FILTER", 1, 26, 16), filter);
    }

    private static void pause(Duration time) {
        Awaitility.await().pollDelay(time).until(() -> true);
    }

    @Test
    void shouldGiveUpAllDeadStreamsAtOnceWhenTheOtherEndIsThere() throws Exception {
        // given
        Channel control = connect();
        Channel other = accept();
        acceptor = session(other, null);
        other.eventLoop().submit(acceptor::start).sync();
        Session opener = session(control, this::dial);
        control.eventLoop().submit(opener::start).sync();
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> opener.snapshot().streams().size() == STREAMS);

        // when
        far.subList(1, STREAMS).forEach(DeadLinesIT::lose);
        for (int i = 0; i < 64; i++) {
            opener.write(Unpooled.wrappedBuffer(new byte[MIB / 4]));
        }
        pause(LIMIT.plusSeconds(1)); // of TCP, whose time is its own
        Duration passed = Duration.ZERO;
        while (opener.snapshot().streamsLost() < STREAMS - 1 && passed.compareTo(ONE_BY_ONE) < 0) {
            nowNs.addAndGet(STEP.toNanos());
            passed = passed.plus(STEP);
            pause(STEP);
        }

        // then
        assertThat(passed).isBetween(LIMIT, LIMIT.multipliedBy(2).minus(STEP));
        Awaitility.await().atMost(PATIENCE).until(() -> opener.snapshot().acknowledgedBytes() == 16L * MIB);
        assertThat(opener.isOpen()).isTrue();
    }
}
