package io.longhaul.gridftp.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.FrontLimits;
import io.longhaul.gridftp.Patience;
import io.longhaul.gridftp.spi.Block;
import io.longhaul.gridftp.spi.Source;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the end of a connection says to who cannot tell it from the end of the file. */
final class StreamEmissionTest {
    private static final int PATIENCE_MS = Patience.SECONDS * 1000;

    private final NioEventLoopGroup loops = new NioEventLoopGroup(1);
    private final Deque<CompletableFuture<Optional<Block>>> blocks = new ArrayDeque<>();
    private Socket client;
    private Channel channel;

    private final Source source = new Source() {
        @Override
        public CompletableFuture<Optional<Block>> next() {
            CompletableFuture<Optional<Block>> next = blocks.poll();
            return next == null ? new CompletableFuture<>() : next;
        }

        @Override
        public void close() {
            // nothing is open
        }
    };

    @BeforeEach
    void connect() throws IOException {
        blocks.add(CompletableFuture.completedFuture(
                Optional.of(new Block(0, Unpooled.wrappedBuffer(new byte[] {1, 2, 3})))));
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            channel = new Bootstrap()
                    .group(loops)
                    .channel(NioSocketChannel.class)
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect(listening.getLocalSocketAddress())
                    .syncUninterruptibly()
                    .channel();
            client = listening.accept();
            client.setSoTimeout(PATIENCE_MS);
        }
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private void send() {
        TransferContext context = new TransferContext(
                channel.eventLoop(),
                FrontLimits.defaults(),
                reply -> {},
                Clock.systemUTC(),
                System::nanoTime,
                new ArrivingBytes(Long.MAX_VALUE));
        channel.eventLoop().execute(() -> {
            DataLink link = new DataLink(channel);
            channel.pipeline().addLast(link);
            link.secure(Optional.empty());
            new StreamEmission(context, source, MarkerPeriods.NONE, false).take(link);
        });
    }

    @Test
    void shouldResetTheConnectionWhenTheProcessEndsInTheMiddle() throws IOException {
        // given
        send();
        byte[] first = client.getInputStream().readNBytes(3);

        // when: closed as a system does it for a process that is killed
        channel.close();

        // then
        assertThat(first).containsExactly(1, 2, 3);
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
    }

    @Test
    void shouldEndTheConnectionWhenAllIsSent() throws IOException {
        // given
        blocks.add(CompletableFuture.completedFuture(Optional.empty()));

        // when
        send();

        // then
        assertThat(client.getInputStream().readAllBytes()).containsExactly(1, 2, 3);
    }
}
