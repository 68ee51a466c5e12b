package io.longhaul.ptcp.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class FrameTest {
    private static Stream<Arguments> golden() {
        return Stream.of(
                Arguments.of(new Frame.Ping(0x0102), "02000000" + "00000000" + "0000000000000102"),
                Arguments.of(new Frame.Pong(7), "03000000" + "00000000" + "0000000000000007"),
                Arguments.of(new Frame.Ack(5, 9), "04000000" + "00000008" + "0000000000000005" + "0000000000000009"),
                Arguments.of(new Frame.Streams(16), "05000000" + "00000000" + "0000000000000010"),
                Arguments.of(new Frame.Lost(3), "06000000" + "00000000" + "0000000000000003"),
                Arguments.of(new Frame.Retire(4), "07000000" + "00000000" + "0000000000000004"),
                Arguments.of(new Frame.Close(1L << 40), "08000000" + "00000000" + "0000010000000000"),
                Arguments.of(new Frame.GiveBack(31 << 20), "0a000000" + "00000000" + "0000000001f00000"),
                Arguments.of(new Frame.Abort("no"), "09000000" + "00000002" + "0000000000000000" + "6e6f"));
    }

    @ParameterizedTest
    @MethodSource("golden")
    void shouldHaveTheBytesOfTheDiagramWhenWrittenAndRead(Frame frame, String hex) {
        // given
        ByteBuf out = Unpooled.buffer();

        // when
        frame.write(out);
        String written = ByteBufUtil.hexDump(out);
        Frame read = Frame.read(Header.read(out, Frame.MOST_BYTES), out);

        // then
        assertThat(written).isEqualTo(hex);
        assertThat(read).isEqualTo(frame);
        assertThat(out.isReadable()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "00000000000000000000000000000000, unknown type 0",
        "0b000000000000000000000000000000, unknown type 11",
        "ff000000000000000000000000000000, unknown type 255",
        "04000000000001010000000000000000, 257 bytes",
        "04000000ffffffff0000000000000000, 4294967295 bytes",
        "0400000000000008ffffffffffffffff, position -1",
        "01000000000000010000000000000000, packet on the control channel",
        "02000000000000010000000000000000, PING of 1 bytes",
        "04000000000000070000000000000000, ACK of 7 bytes",
        "0a000000000000010000000000000000, GIVE_BACK of 1 bytes",
        "06000000000000000000000080000000, expected a number of channels"
    })
    void shouldRefuseWhenTheProtocolDoesNotAllowIt(String hex, String why) {
        // given
        ByteBuf in = Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex + "00".repeat(300)));

        // when then
        assertThatThrownBy(() -> Frame.read(Header.read(in, Frame.MOST_BYTES), in))
                .isInstanceOfSatisfying(
                        PtcpException.class, e -> assertThat(e.code()).isEqualTo(PtcpException.Code.PROTOCOL))
                .hasMessageContaining(why);
    }

    @Test
    void shouldCutAndCleanWhenAReasonIsLongOrOdd() {
        // given
        ByteBuf out = Unpooled.buffer();

        // when
        new Frame.Abort("a\nb\u001b" + "x".repeat(1000)).write(out);

        // then
        assertThat(Frame.read(Header.read(out, Frame.MOST_BYTES), out))
                .isEqualTo(new Frame.Abort("a?b?" + "x".repeat(252)));
    }

    @Test
    void shouldHaveTheBytesOfTheDiagramWhenAnswering() {
        // given
        ByteBuf out = Unpooled.buffer();
        String head = "50544350" + "01000000" + "0000000000000001" + "0000000000000002" + "00000004" + "00010000"
                + "0000000002000000";
        out.writeBytes(HexFormat.of().parseHex(head + "ab".repeat(32)));

        // when
        Answer answer = Answer.read(out);
        ByteBuf again = Unpooled.buffer();
        answer.write(again);

        // then
        assertThat(answer.session()).isEqualTo(new SessionId(1, 2));
        assertThat(answer.number()).isEqualTo(4);
        assertThat(answer.packetBytes()).isEqualTo(65536);
        assertThat(answer.windowBytes()).isEqualTo(32L * 1024 * 1024);
        assertThat(ByteBufUtil.hexDump(again)).isEqualTo(head + "ab".repeat(32));
    }

    @ParameterizedTest
    @CsvSource({"VERSION,1,VERSION", "PROTOCOL,2,REFUSED", "UNKNOWN,3,REFUSED", "FULL,4,FULL"})
    void shouldCutAndCleanTheTextWhenRefused(Answer.Refusal refusal, int status, PtcpException.Code code) {
        // given
        ByteBuf out = Unpooled.buffer();

        // when
        Answer.refuse(out, refusal, "\u0007\n" + "y".repeat(100));

        // then
        assertThat(out.readableBytes()).isEqualTo(Answer.BYTES);
        assertThat(ByteBufUtil.hexDump(out)).startsWith("50544350" + "000" + status + "0000" + "070a79");
        assertThatThrownBy(() -> Answer.read(out)).isInstanceOfSatisfying(PtcpException.class, e -> {
            assertThat(e.code()).isEqualTo(code);
            assertThat(e).hasMessage("refused: " + "y".repeat(62));
        });
    }

    @Test
    void shouldRefuseAnAnswerWhenMagicOrVersionIsWrong() {
        // given
        ByteBuf http = Unpooled.buffer().writeBytes("HTTP/1.1".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        ByteBuf newer = Unpooled.wrappedBuffer(HexFormat.of().parseHex("5054435002" + "00".repeat(67)));

        // when then
        assertThatThrownBy(() -> Answer.read(http)).hasMessageContaining("not parallel TCP");
        assertThatThrownBy(() -> Answer.read(newer))
                .hasMessageContaining("the acceptor chose version 2, the opener speaks versions 1..1");
    }
}
