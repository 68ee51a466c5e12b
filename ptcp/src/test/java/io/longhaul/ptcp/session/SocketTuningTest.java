package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf("io.netty.channel.epoll.Epoll#isAvailable")
final class SocketTuningTest {
    private static final int MIB = 1024 * 1024;
    private static final int UNLIMITED = -1;
    private static final int PACED = -2;

    private final EpollEventLoopGroup loop = new EpollEventLoopGroup(1);
    private ServerSocket server;
    private EpollSocketChannel socket;

    @BeforeEach
    void connect() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        socket = (EpollSocketChannel) new Bootstrap()
                .group(loop)
                .channel(EpollSocketChannel.class)
                .handler(new ChannelInboundHandlerAdapter())
                .connect(server.getLocalSocketAddress())
                .syncUninterruptibly()
                .channel();
    }

    @AfterEach
    void close() throws IOException {
        socket.close().syncUninterruptibly();
        loop.shutdownGracefully();
        server.close();
    }

    @Test
    void shouldKnowWhatTcpSays() {
        // when
        TcpState state = new SocketTuning(socket, new SendRoom()).look();

        // then
        assertThat(state.windowBytes()).isPositive();
        assertThat(state.roundTripMicros()).isPositive();
        assertThat(state.unsentBytes()).isZero();
    }

    @Test
    void shouldPaceALargeWindowOfALongPathAndKeepItSo() {
        // given
        SocketTuning tuning = new SocketTuning(socket, new SendRoom());

        // when
        tuning.apply(state(2 * MIB, 20_000));
        tuning.apply(state(MIB / 2, 20_000));

        // then
        assertThat(socket.config().getOption(SocketTuning.PACING_RATE)).isEqualTo(PACED);
    }

    @Test
    void shouldNotPaceShortPathsAndSmallWindows() {
        // given
        SocketTuning tuning = new SocketTuning(socket, new SendRoom());

        // when
        tuning.apply(state(2 * MIB, 4_000));
        tuning.apply(state(MIB / 2, 100_000));

        // then
        assertThat(socket.config().getOption(SocketTuning.PACING_RATE)).isEqualTo(UNLIMITED);
    }

    @Test
    void shouldLetTheSocketTakeWhatIsCountedAndElseLittle() {
        // given: a buffer that grows no more
        SocketTuning tuning = new SocketTuning(socket, new SendRoom(MIB));
        socket.config().setSendBufferSize(MIB);
        int buffer = socket.config().getSendBufferSize();

        // when
        tuning.apply(state(2L * buffer, 100_000));

        // then
        assertThat(socket.config().getTcpNotSentLowAt()).isEqualTo(buffer);

        // when
        tuning.apply(state(buffer / 2, 100_000));

        // then
        assertThat(socket.config().getTcpNotSentLowAt()).isLessThanOrEqualTo(MIB / 4);
    }

    private static TcpState state(long windowBytes, long roundTripMicros) {
        return new TcpState(windowBytes, 0, 0, roundTripMicros, 0, 0);
    }
}
