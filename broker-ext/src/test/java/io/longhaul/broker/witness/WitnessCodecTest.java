package io.longhaul.broker.witness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.broker.witness.WitnessFrame.Answer;
import io.longhaul.broker.witness.WitnessFrame.Ask;
import io.longhaul.broker.witness.WitnessFrame.Hello;
import io.longhaul.broker.witness.WitnessFrame.Operation;
import io.longhaul.broker.witness.WitnessFrame.Outcome;
import io.longhaul.broker.witness.WitnessFrame.Reason;
import io.longhaul.broker.witness.WitnessFrame.Refused;
import io.longhaul.broker.witness.WitnessFrame.Welcome;
import io.longhaul.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WitnessCodecTest {
    static Stream<WitnessFrame> frames() {
        return Stream.of(
                new Hello(1, "site-a", "secret"),
                new Welcome(1),
                new Refused(Reason.LOGIN, "unknown user"),
                new Refused(Reason.LATER, "too many have failed"),
                new Ask(3, Operation.SWAP, "pair", "node", 4, -5),
                new Answer(3, Outcome.CHANGED, -5));
    }

    @ParameterizedTest
    @MethodSource("frames")
    void shouldReadWhatItWroteWhenItIsWhole(WitnessFrame frame) {
        // when
        ByteBuf bytes = WitnessCodec.encode(frame);

        // then
        assertThat(bytes.readInt()).isEqualTo(bytes.readableBytes());
        assertThat(WitnessCodec.decode(bytes)).isEqualTo(frame);
    }

    @ParameterizedTest
    @MethodSource("frames")
    void shouldRefuseAFrameWhenItEndsTooEarlyOrTooLate(WitnessFrame frame) {
        // given
        ByteBuf whole = WitnessCodec.encode(frame);
        whole.skipBytes(Integer.BYTES);

        // when / then
        for (int length = 0; length < whole.readableBytes(); length++) {
            ByteBuf cut = whole.copy(whole.readerIndex(), length);
            assertThatThrownBy(() -> WitnessCodec.decode(cut)).isInstanceOf(WireException.class);
        }
        assertThatThrownBy(() -> WitnessCodec.decode(whole.copy().writeByte(0))).isInstanceOf(WireException.class);
    }

    @Test
    void shouldHaveTheDocumentedBytes() {
        // when
        ByteBuf bytes = WitnessCodec.encode(new Ask(3, Operation.SWAP, "p", "n", 4, -5));

        // then
        assertThat(ByteBufUtil.hexDump(bytes))
                .isEqualTo("00000020" + "04" + "0000000000000003" + "04" + "000170" + "00016e" + "0000000000000004"
                        + "fffffffffffffffb");
    }

    @ParameterizedTest
    @ValueSource(strings = {"00", "06", "05000000000000000106" + "0000000000000000", "0305" + "0000", "010001ffff"})
    void shouldRefuseAFrameWhenItBreaksARule(String hex) {
        // given
        ByteBuf bytes = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex));

        // when / then
        assertThatThrownBy(() -> WitnessCodec.decode(bytes)).isInstanceOf(WireException.class);
    }

    @Test
    void shouldNotShowAPasswordWhenItIsPrinted() {
        assertThat(new Hello(1, "site-a", "secret").toString()).doesNotContain("secret");
    }
}
