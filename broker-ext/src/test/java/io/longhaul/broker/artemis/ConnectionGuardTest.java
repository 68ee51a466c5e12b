package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.core.protocol.core.impl.PacketImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ConnectionGuardTest {
    private static final byte[] PREAMBLE = "ARTEMIS".getBytes(StandardCharsets.US_ASCII);
    private boolean accepted;
    private EmbeddedChannel channel;

    @BeforeEach
    void open() {
        channel = new EmbeddedChannel(new ConnectionGuard(
                c -> accepted = true, new QuietLog(LoggerFactory.getLogger(ConnectionGuardTest.class), () -> 0)));
    }

    @AfterEach
    void finish() {
        channel.finishAndReleaseAll();
    }

    private byte[] received() {
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf part = channel.readInbound(); part != null; part = channel.readInbound()) {
            all.writeBytes(part);
            part.release();
        }
        byte[] bytes = new byte[all.readableBytes()];
        all.readBytes(bytes);
        return bytes;
    }

    /** A ping as clients send: length, type 10, channel 0, time to live. */
    private static ByteBuf ping() {
        return Unpooled.buffer().writeInt(17).writeByte(10).writeLong(0).writeLong(60_000);
    }

    @Test
    void shouldPassPreambleAndFirstFramesWhenTheyComeByteByByte() {
        // given
        ByteBuf bytes = Unpooled.wrappedBuffer(Unpooled.wrappedBuffer(PREAMBLE), ping(), ping());
        int length = bytes.readableBytes();

        // when
        while (bytes.isReadable()) {
            channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {bytes.readByte()}));
        }

        // then
        assertThat(accepted).isTrue();
        assertThat(channel.isOpen()).isTrue();
        assertThat(received()).hasSize(length);
    }

    @Test
    void shouldPassLongFramesUnchangedOnceTheSessionIsKnown() {
        // given
        channel.writeInbound(Unpooled.wrappedBuffer(PREAMBLE));
        received();
        ConnectionGuard.trust(channel);
        byte[] body = new byte[3_000_000];
        new Random(1).nextBytes(body);
        ByteBuf stream = Unpooled.buffer();
        for (int i = 0; i < 3; i++) {
            stream.writeInt(body.length).writeBytes(body);
        }
        byte[] expected = new byte[stream.readableBytes()];
        stream.getBytes(0, expected);

        // when
        Random random = new Random(2);
        while (stream.isReadable()) {
            channel.writeInbound(
                    stream.readRetainedSlice(Math.min(stream.readableBytes(), 1 + random.nextInt(70_000))));
        }

        // then
        assertThat(received()).isEqualTo(expected);
        assertThat(channel.isOpen()).isTrue();
        stream.release();
    }

    @Test
    void shouldCloseWhenAFrameIsLongerThanAny() {
        // given
        channel.writeInbound(Unpooled.wrappedBuffer(PREAMBLE));
        ConnectionGuard.trust(channel);

        // when
        channel.writeInbound(Unpooled.buffer().writeInt(16 * 1024 * 1024 + 1));

        // then
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void shouldCloseWhenAUserSaysWhatOnlyBrokersSay() {
        // given
        channel.writeInbound(Unpooled.wrappedBuffer(PREAMBLE));
        ConnectionGuard.trust(channel);
        received();

        // when
        channel.writeInbound(Unpooled.buffer().writeInt(100));
        channel.writeInbound(
                Unpooled.buffer().writeByte(PacketImpl.CLUSTER_CONNECT).writeZero(99));

        // then
        assertThat(channel.isOpen()).isFalse();
        assertThat(received()).isEmpty();
    }

    @Test
    void shouldCloseWhenAStrangerSendsALongFirstFrame() {
        // given
        channel.writeInbound(Unpooled.wrappedBuffer(PREAMBLE));

        // when
        channel.writeInbound(Unpooled.buffer().writeInt(1_000_000));

        // then
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void shouldCloseWhenAStrangerSendsAPieceBeforeASession() {
        // given
        channel.writeInbound(Unpooled.wrappedBuffer(PREAMBLE));
        received();

        // when
        channel.writeInbound(Unpooled.buffer().writeInt(100).writeByte(71).writeZero(99));

        // then
        assertThat(channel.isOpen()).isFalse();
        assertThat(received()).isEmpty();
    }

    @Test
    void shouldCloseWhenTheFirstByteIsWrong() {
        // when
        channel.writeInbound(Unpooled.copiedBuffer("G", StandardCharsets.US_ASCII));

        // then
        assertThat(channel.isOpen()).isFalse();
        assertThat(accepted).isFalse();
    }

    @Test
    void shouldCloseWhenNothingComesInTime() {
        // when
        channel.advanceTimeBy(11, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();

        // then
        assertThat(channel.isOpen()).isFalse();
    }
}
