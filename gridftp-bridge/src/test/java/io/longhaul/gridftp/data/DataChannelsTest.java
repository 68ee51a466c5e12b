package io.longhaul.gridftp.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.FrontLimits;
import io.longhaul.gridftp.PortRange;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.spi.Block;
import io.longhaul.gridftp.spi.Source;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a session's data connections when its control connection is gone. */
final class DataChannelsTest {
    private static final int PATIENCE_MS = 10_000;
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final NioEventLoopGroup loops = new NioEventLoopGroup(1);
    private final EventLoop loop = loops.next();
    private final Deque<Block> blocks =
            new ArrayDeque<>(List.of(new Block(0, Unpooled.wrappedBuffer(new byte[] {1, 2, 3}))));
    private final DataChannels channels = new DataChannels(
            new DataNetwork(loop, LOOPBACK, LOOPBACK, List.of(), PortRange.ANY, FrontLimits.defaults(), new Random(1)),
            new TransferContext(
                    loop,
                    FrontLimits.defaults(),
                    reply -> {},
                    Clock.systemUTC(),
                    System::nanoTime,
                    new ArrivingBytes(Long.MAX_VALUE)));
    private ServerSocket listening;

    /** A file of which one block comes, and then nothing for long. */
    private final Source slow = new Source() {
        @Override
        public CompletableFuture<Optional<Block>> next() {
            return blocks.isEmpty()
                    ? new CompletableFuture<>()
                    : CompletableFuture.completedFuture(Optional.of(blocks.remove()));
        }

        @Override
        public void close() {
            // nothing is open
        }
    };

    @BeforeEach
    void listen() throws IOException {
        listening = new ServerSocket(0, 1, LOOPBACK);
        listening.setSoTimeout(PATIENCE_MS);
    }

    @AfterEach
    void close() throws IOException {
        listening.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private CompletableFuture<Reply> send() {
        DataChannels.Terms terms = new DataChannels.Terms(false, false, 1, MarkerPeriods.NONE);
        return CompletableFuture.supplyAsync(
                        () -> {
                            channels.connectTo(List.of((InetSocketAddress) listening.getLocalSocketAddress()));
                            return channels.send(slow, terms, 0);
                        },
                        loop)
                .thenCompose(reply -> reply);
    }

    @Test
    void shouldResetADownloadInTheMiddleWhenTheControlConnectionIsLost() throws IOException {
        // given
        CompletableFuture<Reply> last = send();
        try (Socket client = listening.accept()) {
            client.setSoTimeout(PATIENCE_MS);
            byte[] first = client.getInputStream().readNBytes(3);

            // when
            CompletableFuture.runAsync(channels::close, loop).join();

            // then
            assertThat(first).containsExactly(1, 2, 3);
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
            assertThat(last.join().code()).isEqualTo(426);
        }
    }
}
