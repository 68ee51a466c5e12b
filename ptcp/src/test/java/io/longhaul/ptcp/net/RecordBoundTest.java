package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RecordBoundTest {
    private static final int HANDSHAKE = 22;
    private static final int MOST = 16 * 1024 + 2048;

    private final EmbeddedChannel channel = new EmbeddedChannel(new RecordBound());

    @AfterEach
    void release() {
        channel.finishAndReleaseAll();
    }

    private static ByteBuf header(int length) {
        return Unpooled.buffer().writeByte(HANDSHAKE).writeShort(0x0303).writeShort(length);
    }

    private static ByteBuf record(int length) {
        return header(length).writeZero(length);
    }

    private static byte[] bytes(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        return bytes;
    }

    private byte[] passed() {
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf each = channel.readInbound(); each != null; each = channel.readInbound()) {
            all.writeBytes(each);
            each.release();
        }
        return bytes(all);
    }

    @Test
    void shouldPassRecordsOfEveryLengthThatIsAllowed() {
        // given
        ByteBuf records = Unpooled.wrappedBuffer(record(0), record(MOST), record(3));
        byte[] expected = bytes(records.duplicate());

        // when
        channel.writeInbound(records);

        // then
        assertThat(passed()).isEqualTo(expected);
    }

    @Test
    void shouldEndAtTheHeaderOfARecordThatIsLonger() {
        assertThatThrownBy(() -> channel.writeInbound(Unpooled.wrappedBuffer(record(7), header(MOST + 1))))
                .isInstanceOf(DecoderException.class)
                .hasMessage("a record of TLS with 18433 bytes, expected at most 18432");
        assertThat(passed()).isEmpty();
    }

    @Test
    void shouldEndWhereverTheHeaderIsCut() {
        // given
        byte[] records = bytes(Unpooled.wrappedBuffer(record(2), header(0xffff)));
        int last = records.length - 1;
        for (int i = 0; i < last; i++) {
            channel.writeInbound(Unpooled.copiedBuffer(records, i, 1));
        }

        // when, then
        assertThatThrownBy(() -> channel.writeInbound(Unpooled.copiedBuffer(records, last, 1)))
                .isInstanceOf(DecoderException.class);
        channel.writeInbound(Unpooled.buffer().writeZero(100));
        assertThat(passed()).hasSize(last);
    }

    @Test
    void shouldLeaveWhatIsNoTlsToTls() {
        // given
        byte[] foreign = Stranger.text("\u007f\u007f\u007f\u007f\u007f and more of it");

        // when
        channel.writeInbound(Unpooled.wrappedBuffer(foreign));

        // then
        assertThat(passed()).isEqualTo(foreign);
    }
}
