package io.longhaul.ptcp.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.proxy.HttpProxyException.Kind;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.resolver.NoopAddressResolverGroup;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tunnels through a real proxy to a server that greets first and then sends back what it gets. */
@Timeout(120)
final class HttpProxyIT {
    private static final String GREETING = "welcome ";
    private static final int FORBIDDEN = 1;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private NioEventLoopGroup loops;
    private int target;

    @BeforeEach
    void serve() throws InterruptedException {
        Squid.helpers();
        loops = new NioEventLoopGroup(2);
        target = port(new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public boolean isSharable() {
                        return true;
                    }

                    @Override
                    public void channelActive(ChannelHandlerContext ctx) {
                        ctx.writeAndFlush(Unpooled.copiedBuffer(GREETING, StandardCharsets.UTF_8));
                    }

                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        ctx.writeAndFlush(message);
                    }
                })
                .bind("127.0.0.1", 0)
                .sync()
                .channel());
    }

    private static int port(Channel channel) {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    @AfterEach
    void stop() {
        if (loops != null) {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    /** Gathers what comes out of a tunnel. */
    private static final class Sink extends SimpleChannelInboundHandler<ByteBuf> {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        protected synchronized void channelRead0(ChannelHandlerContext ctx, ByteBuf message) throws IOException {
            message.readBytes(bytes, message.readableBytes());
        }

        synchronized byte[] bytes() {
            return bytes.toByteArray();
        }
    }

    private ChannelFuture dial(HttpProxySession session, int port, Sink sink) {
        return new Bootstrap()
                .group(loops)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 20_000)
                .resolver(NoopAddressResolverGroup.INSTANCE)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(session.newHandler(), sink);
                    }
                })
                .connect(InetSocketAddress.createUnresolved("127.0.0.1", port));
    }

    private HttpProxyException failure(HttpProxySession session, int port) {
        Throwable cause = dial(session, port, new Sink()).awaitUninterruptibly().cause();
        assertThat(cause).isInstanceOf(HttpProxyException.class);
        return (HttpProxyException) cause;
    }

    private HttpProxySession session(HttpProxy proxy) {
        return HttpProxySession.of(proxy, task -> new Thread(task, "lookup").start());
    }

    private void shouldEcho(HttpProxySession session) {
        Sink sink = new Sink();
        ChannelFuture future = dial(session, target, sink).awaitUninterruptibly();
        assertThat(future.cause()).isNull();
        shouldEcho(future.channel(), sink, "hello".getBytes(StandardCharsets.UTF_8));
    }

    private void shouldEcho(Channel channel, Sink sink, byte[] bytes) {
        channel.writeAndFlush(Unpooled.wrappedBuffer(bytes));
        int length = GREETING.length() + bytes.length;
        Awaitility.await().atMost(PATIENCE).until(() -> sink.bytes().length >= length);
        assertThat(sink.bytes()).startsWith(GREETING.getBytes(StandardCharsets.UTF_8));
        assertThat(Arrays.copyOfRange(sink.bytes(), GREETING.length(), sink.bytes().length))
                .isEqualTo(bytes);
        channel.close().awaitUninterruptibly();
    }

    @ParameterizedTest
    @EnumSource(Squid.Scheme.class)
    void shouldCarryBytesWhenTheProxyAsksForCredentials(Squid.Scheme scheme) throws Exception {
        try (Squid squid = Squid.start(directory, scheme)) {
            // given
            HttpProxySession session = session(squid.proxy());
            byte[] bytes = new byte[4 * 1024 * 1024];
            new Random(7).nextBytes(bytes);
            Sink sink = new Sink();

            // when
            ChannelFuture future = dial(session, target, sink).awaitUninterruptibly();

            // then
            assertThat(future.cause()).isNull();
            shouldEcho(future.channel(), sink, bytes);
        }
    }

    @ParameterizedTest
    @EnumSource(Squid.Scheme.class)
    void shouldDialOnceMoreWhenTheProxyHangsUpAfterItsChallenge(Squid.Scheme scheme) throws Exception {
        try (Squid squid = Squid.start(directory, scheme, "client_persistent_connections off")) {
            // given
            HttpProxySession session = session(squid.proxy());

            // when
            HttpProxyException first = failure(session, target);

            // then
            assertThat(first.kind()).isEqualTo(Kind.CHALLENGED);
            shouldEcho(session);
            shouldEcho(session);
        }
    }

    @ParameterizedTest
    @EnumSource(Squid.Scheme.class)
    void shouldSayThatCredentialsAreNotAcceptedWhenThePasswordIsWrong(Squid.Scheme scheme) throws Exception {
        try (Squid squid = Squid.start(directory, scheme)) {
            // when
            HttpProxy proxy = squid.proxy().withCredentials(Squid.USER, "wrong");
            HttpProxyException failure = failure(session(proxy), target);

            // then
            assertThat(failure.kind()).isEqualTo(Kind.CREDENTIALS);
            assertThat(failure)
                    .hasMessage("proxy %s: CONNECT 127.0.0.1:%d refused: 407, credentials not accepted", proxy, target);
        }
    }

    @Test
    void shouldGetThroughWhenNoncesAreUsedUp() throws Exception {
        try (Squid squid = Squid.start(directory, Squid.Scheme.DIGEST, "auth_param digest nonce_max_count 2")) {
            HttpProxySession session = session(squid.proxy());
            for (int i = 0; i < 8; i++) {
                shouldEcho(session);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Squid.Scheme.class)
    void shouldGetThroughWhenManyDialAtOnce(Squid.Scheme scheme) throws Exception {
        try (Squid squid = Squid.start(directory, scheme)) {
            HttpProxySession session = session(squid.proxy());
            for (int round = 0; round < 3; round++) {
                // when
                List<ChannelFuture> dials = new ArrayList<>();
                for (int i = 0; i < 32; i++) {
                    dials.add(dial(session, target, new Sink()));
                }

                // then
                assertThat(dials)
                        .allSatisfy(dial ->
                                assertThat(dial.awaitUninterruptibly().cause()).isNull());
                dials.forEach(dial -> dial.channel().close());
            }
        }
    }

    @Test
    void shouldNameTheAnswerWhenThereIsNoTunnel() throws Exception {
        try (Squid squid = Squid.start(directory, Squid.Scheme.DIGEST)) {
            // given
            HttpProxySession session = session(squid.proxy());
            Channel closed = new ServerBootstrap()
                    .group(loops)
                    .channel(NioServerSocketChannel.class)
                    .childHandler(new Sink())
                    .bind("127.0.0.1", 0)
                    .sync()
                    .channel();
            int nobody = port(closed);
            closed.close().sync();

            // when
            HttpProxyException forbidden = failure(session, FORBIDDEN);
            HttpProxyException unreachable = failure(session, nobody);

            // then
            assertThat(forbidden.kind()).isEqualTo(Kind.REFUSED);
            assertThat(forbidden)
                    .hasMessage("proxy %s: CONNECT 127.0.0.1:%d refused: 403 Forbidden", session.proxy(), FORBIDDEN);
            assertThat(unreachable.kind()).isEqualTo(Kind.REFUSED);
            assertThat(unreachable).hasMessageEndingWith("refused: 503 Service Unavailable");
        }
    }

    @Test
    void shouldSayThatTheProxyIsUnreachableWhenNobodyListens() throws Exception {
        // given
        Squid squid = Squid.start(directory, Squid.Scheme.BASIC);
        squid.close();

        // when
        HttpProxyException failure = failure(session(squid.proxy()), target);

        // then
        assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(failure).hasMessageStartingWith("proxy " + squid.proxy() + ": cannot connect: ");
    }
}
