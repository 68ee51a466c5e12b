package io.longhaul.broker.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LinkCodecTest {
    private static final UnpooledByteBufAllocator HEAP = UnpooledByteBufAllocator.DEFAULT;

    static Stream<LinkFrame> frames() {
        return Stream.of(
                new LinkFrame.Hello(1, "site-a", "alice", "sésame"),
                new LinkFrame.Welcome(1, "hub"),
                new LinkFrame.Refused(LinkFrame.Reason.LOGIN, "no"),
                new LinkFrame.Refused(LinkFrame.Reason.LATER, "256 logins wait already"),
                new LinkFrame.Wants(Long.MAX_VALUE, true, Set.of(), Set.of("lh.sub.t@s", "lh.inbox.a")),
                new LinkFrame.Wants(2, false, Set.of("lh.sub.t@s"), Set.of()),
                new LinkFrame.Known(7),
                new LinkFrame.Taken(8),
                new LinkFrame.Unwanted("lh.topic.t"));
    }

    private static ByteBuf behindLength(ByteBuf encoded) {
        assertThat(encoded.readInt()).isEqualTo(encoded.readableBytes());
        return encoded;
    }

    @ParameterizedTest
    @MethodSource("frames")
    void shouldReadWhatWasWritten(LinkFrame frame) {
        assertThat(LinkCodec.decode(behindLength(LinkCodec.encode(frame, HEAP))))
                .isEqualTo(frame);
    }

    @Test
    void shouldReadAMessageWhenItIsCarried() {
        // given
        byte[] message = "message".getBytes(StandardCharsets.US_ASCII);

        // when
        ByteBuf encoded =
                behindLength(LinkCodec.carried(5, "a/b/", message.length, out -> out.writeBytes(message), HEAP));
        LinkFrame.Carried carried = (LinkFrame.Carried) LinkCodec.decode(encoded);

        // then
        assertThat(carried.sequence()).isEqualTo(5);
        assertThat(carried.via()).isEqualTo("a/b/");
        assertThat(ByteBufUtil.getBytes(carried.message())).isEqualTo(message);
    }

    /** Bytes that never change: a change of the code that makes one fail breaks links to other versions. */
    @ParameterizedTest
    @CsvSource({
        "010001000673697465" + "2d610000" + "0000, site-a",
    })
    void shouldReadVersion1(String hex, String broker) {
        assertThat(LinkCodec.decode(Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex))))
                .isEqualTo(new LinkFrame.Hello(1, broker, "", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "0a",
                "08",
                "0800000000000000010",
                "080000000000000001ff",
                "0307000161",
                "04000000000000000101ffffffff00000000",
                "0400000000000000010100989680",
                "09ffff61",
                "090401"
            })
    void shouldRefuseWhenAFrameBreaksARule(String hex) {
        String even = hex.length() % 2 == 0 ? hex : hex + "0";
        assertThatThrownBy(() -> LinkCodec.decode(Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(even))))
                .isInstanceOf(WireException.class);
    }

    @Test
    void shouldRefuseOrReadWhenBytesAreRandom() {
        // given
        Random random = new Random(42);

        // then
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(64)];
            random.nextBytes(bytes);
            if (bytes.length > 0) {
                bytes[0] = (byte) (random.nextInt(11));
            }
            try {
                assertThat(LinkCodec.decode(Unpooled.wrappedBuffer(bytes))).isNotNull();
            } catch (WireException e) {
                assertThat(e).hasMessageNotContaining("\n");
            }
        }
    }

    @Test
    void shouldNotShowAPasswordWhenAGreetingIsLogged() {
        assertThat(new LinkFrame.Hello(1, "a", "u", "secret").toString()).doesNotContain("secret");
    }
}
