package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.protocol.core.impl.PacketImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

    /** A message as clients send it, behind length, type and channel. */
    private static ByteBuf send(int bodyBytes) {
        CoreMessage message = new CoreMessage(1, bodyBytes + 100);
        message.setAddress("lh.topic.t");
        message.putBytesProperty(SimpleString.of("lh_piece"), new byte[] {1, 2, 3});
        byte[] body = new byte[bodyBytes];
        new Random(1).nextBytes(body);
        message.getBodyBuffer().writeBytes(body);
        ByteBuf frame =
                Unpooled.buffer().writeInt(0).writeByte(PacketImpl.SESS_SEND).writeLong(10);
        message.sendBuffer(frame, 0);
        return frame.setInt(0, frame.readableBytes() - Integer.BYTES);
    }

    private static ByteBuf frame(byte type, int firstNumber) {
        return Unpooled.buffer()
                .writeInt(100)
                .writeByte(type)
                .writeLong(10)
                .writeInt(firstNumber)
                .writeZero(100 - 1 - 8 - 4);
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
        ByteBuf stream = Unpooled.buffer();
        for (int i = 0; i < 3; i++) {
            stream.writeBytes(send(3_000_000));
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
    void shouldCloseWhenLengthsInAMessageDoNotFit() {
        // given
        channel.writeInbound(Unpooled.wrappedBuffer(PREAMBLE));
        ConnectionGuard.trust(channel);
        received();
        ByteBuf whole = send(10);
        int pieceLength = whole.writerIndex() - 3 - Integer.BYTES;
        assertThat(whole.getInt(pieceLength)).isEqualTo(3);

        // when
        channel.writeInbound(whole.copy());
        int passed = received().length;
        channel.writeInbound(whole.setInt(pieceLength, Integer.MAX_VALUE));

        // then
        assertThat(passed).isEqualTo(whole.writerIndex());
        assertThat(channel.isOpen()).isFalse();
        assertThat(received()).isEmpty();
    }

    @Test
    void shouldPassPartsOfLargeMessagesWhenTheirLengthsFit() {
        // given
        channel.writeInbound(Unpooled.wrappedBuffer(PREAMBLE));
        ConnectionGuard.trust(channel);
        received();

        // when
        channel.writeInbound(frame(PacketImpl.SESS_SEND_CONTINUATION, 87));

        // then
        assertThat(received()).hasSize(104);

        // when
        channel.writeInbound(frame(PacketImpl.SESS_SEND_CONTINUATION, Integer.MAX_VALUE));

        // then
        assertThat(channel.isOpen()).isFalse();
    }

    /** The server decodes these, too, and believes the number in them. */
    @ParameterizedTest
    @ValueSource(
            bytes = {PacketImpl.SESS_RECEIVE_CONTINUATION, PacketImpl.SESS_XA_START, PacketImpl.REPLICATION_APPEND})
    void shouldCloseWhenAFrameIsNoClients(byte type) {
        // given
        channel.writeInbound(Unpooled.wrappedBuffer(PREAMBLE));
        ConnectionGuard.trust(channel);
        received();

        // when
        channel.writeInbound(frame(type, Integer.MAX_VALUE));

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
