package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LowWaterTest {
    private final AtomicLong nowNs = new AtomicLong(17);
    private ServerSocket server;
    private EpollEventLoopGroup loops;
    private Channel channel;

    @BeforeEach
    void connect() throws Exception {
        assumeTrue(Epoll.isAvailable());
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        loops = new EpollEventLoopGroup(1);
        channel = new Bootstrap()
                .group(loops)
                .channel(EpollSocketChannel.class)
                .handler(new ChannelInboundHandlerAdapter())
                .connect(server.getLocalSocketAddress())
                .sync()
                .channel();
    }

    @AfterEach
    void close() throws Exception {
        if (server != null) {
            channel.close().sync();
            loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            server.close();
        }
    }

    private int mark() {
        return channel.config().getOption(LowWater.SO_RCVLOWAT);
    }

    private void next(LowWater mark, long afterNs, long came, int missing) {
        nowNs.addAndGet(afterNs);
        mark.next(came, missing);
    }

    @Test
    void shouldWakeForWhatIsMissingWhenTheStreamIsFast() {
        // given
        LowWater mark = new LowWater(channel, nowNs::get, LowWater.boundBytes(0));

        // when
        next(mark, 100_000_000, 2_000_000, 5_000);

        // then
        assertThat(mark()).isEqualTo(5_000);
    }

    @Test
    void shouldWakeForABoundedPartWhenMuchIsMissing() {
        // given
        LowWater mark = new LowWater(channel, nowNs::get, LowWater.boundBytes(0));

        // when
        next(mark, 100_000_000, 2_000_000, 1 << 20);

        // then
        assertThat(mark()).isEqualTo(250_000);
    }

    @Test
    void shouldLeaveASmallPartOfABufferUnreadThatDoesNotGrow() {
        // given
        LowWater mark = new LowWater(channel, nowNs::get, LowWater.boundBytes(256 * 1024));

        // when
        next(mark, 100_000_000, 2_000_000, 1 << 20);

        // then
        assertThat(mark()).isEqualTo(32 * 1024);
    }

    @Test
    void shouldWakeForEachByteWhenAPacketIsWhole() {
        // given
        LowWater mark = new LowWater(channel, nowNs::get, LowWater.boundBytes(0));
        next(mark, 100_000_000, 2_000_000, 5_000);

        // when
        next(mark, 1_000_000, 5_000, 0);

        // then
        assertThat(mark()).isEqualTo(1);
    }

    @Test
    void shouldWakeForEachByteWhenTheStreamBecomesSlow() {
        // given
        LowWater mark = new LowWater(channel, nowNs::get, LowWater.boundBytes(0));
        next(mark, 100_000_000, 2_000_000, 5_000);

        // when
        next(mark, 100_000_000, 90_000, 5_000);

        // then
        assertThat(mark()).isEqualTo(1);
    }

    @Test
    void shouldWakeForLessWhenAStreamBegins() {
        // given
        LowWater mark = new LowWater(channel, nowNs::get, LowWater.boundBytes(0));

        // when a burst in each round trip, and a larger one in the next
        for (long burst = 60_000; burst <= 240_000; burst *= 2) {
            next(mark, 199_000_000, burst - 20_000, 60_000);
            next(mark, 1_000_000, 20_000, 60_000);
        }

        // then
        assertThat(mark()).isEqualTo(15_000);
    }

    @Test
    void shouldWakeForMoreWhenAStreamHasFoundItsRate() {
        // given
        LowWater mark = new LowWater(channel, nowNs::get, LowWater.boundBytes(0));
        next(mark, 100_000_000, 160_000, 100_000);
        assertThat(mark()).isEqualTo(20_000);

        // when
        next(mark, 100_000_000, 160_000, 100_000);

        // then
        assertThat(mark()).isEqualTo(80_000);
    }

    @Test
    void shouldWakeForWhatIsThereWhenTheRestDoesNotCome() {
        // given
        LowWater mark = new LowWater(channel, nowNs::get, LowWater.boundBytes(0));
        next(mark, 100_000_000, 2_000_000, 60_000);
        nowNs.addAndGet(1_000_000_000);
        mark.tick();
        assertThat(mark()).isEqualTo(60_000);

        // when
        nowNs.addAndGet(1);
        mark.tick();

        // then
        assertThat(mark()).isEqualTo(1);
    }

    @Test
    void shouldLeaveAStreamWithTlsAlone() throws Exception {
        // given
        SslContext tls = SslContextBuilder.forClient().build();
        channel.pipeline().addFirst(tls.newHandler(channel.alloc()));
        LowWater mark = new LowWater(channel, nowNs::get, LowWater.boundBytes(0));

        // when
        next(mark, 100_000_000, 2_000_000, 5_000);

        // then
        assertThat(mark()).isEqualTo(1);
    }

    @Test
    void shouldDoNothingWhereTheSystemHasNone() throws Exception {
        // given
        NioEventLoopGroup loop = new NioEventLoopGroup(1);
        Channel plain = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .handler(new ChannelInboundHandlerAdapter())
                .connect(server.getLocalSocketAddress())
                .sync()
                .channel();

        // when
        next(new LowWater(plain, nowNs::get, LowWater.boundBytes(0)), 100_000_000, 2_000_000, 5_000);

        // then
        assertThat(plain.isActive()).isTrue();
        plain.close().sync();
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
}
