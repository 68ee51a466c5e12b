package io.longhaul.ptcp.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameTest {
    private static ByteBuf hex(String text) {
        return Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(text.replace(" ", "")));
    }

    private static String hex(ByteBuf bytes) {
        return ByteBufUtil.hexDump(bytes);
    }

    static Stream<Frame> frames() {
        return Stream.of(
                new Frame.Ping(7),
                new Frame.Pong(Long.MAX_VALUE),
                new Frame.Ack(1L << 40, (1L << 40) + 5),
                new Frame.Streams(16),
                new Frame.Lost(3),
                new Frame.Retire(4),
                new Frame.Close(0),
                new Frame.Abort("no more"));
    }

    @ParameterizedTest
    @MethodSource("frames")
    void shouldReadWhatWasWritten(Frame frame) {
        // given
        ByteBuf bytes = Unpooled.buffer();
        frame.write(bytes);

        // when
        Frame read = Frame.read(Header.read(bytes, Frame.MOST_BYTES), bytes);

        // then
        assertThat(read).isEqualTo(frame);
        assertThat(bytes.isReadable()).isFalse();
    }

    @Test
    void shouldWriteAnAcknowledgementAsDocumented() {
        // given
        ByteBuf bytes = Unpooled.buffer();

        // when
        new Frame.Ack(0x0102, 0x0304).write(bytes);

        // then
        assertThat(hex(bytes)).isEqualTo("04000000" + "00000008" + "0000000000000102" + "0000000000000304");
    }

    @ParameterizedTest
    @CsvSource({
        "00000000 00000000 0000000000000000, unknown type 0",
        "0a000000 00000000 0000000000000000, unknown type 10",
        "01000000 7fffffff 0000000000000000, 2147483647 bytes",
        "01000000 ffffffff 0000000000000000, 4294967295 bytes",
        "04000000 00000008 8000000000000000, position",
    })
    void shouldRefuseAHeaderThatCannotBe(String bytes, String told) {
        // when then
        assertThatThrownBy(() -> Header.read(hex(bytes), Frame.MOST_BYTES))
                .isInstanceOf(PtcpException.class)
                .hasMessageContaining(told);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "02000000 00000001 0000000000000000 00",
                "04000000 00000007 0000000000000000 00000000000000",
                "05000000 00000000 0000000080000000",
                "01000000 00000001 0000000000000000 00"
            })
    void shouldRefuseAFrameThatDoesNotBelong(String text) {
        // given
        ByteBuf bytes = hex(text);
        Header header = Header.read(bytes, Frame.MOST_BYTES);

        // when then
        assertThatThrownBy(() -> Frame.read(header, bytes)).isInstanceOf(PtcpException.class);
    }

    @Test
    void shouldCutALongReasonAndShowOnlyWhatPrints() {
        // given
        ByteBuf bytes = Unpooled.buffer();
        new Frame.Abort("x\n" + "y".repeat(1000)).write(bytes);

        // when
        Frame read = Frame.read(Header.read(bytes, Frame.MOST_BYTES), bytes);

        // then
        assertThat(((Frame.Abort) read).reason()).startsWith("x?yy").hasSize(Frame.MOST_BYTES);
    }
}
