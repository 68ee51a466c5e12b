package io.longhaul.gridftp.post;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.range.ByteRange;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class MessageCodecTest {
    private static final Number128 NUMBER = Number128.of("00112233445566778899aabbccddeeff");
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    static List<Message> messages() {
        return List.of(
                new Message.Call(NUMBER, "{\"call\":\"stät\"}"),
                new Message.Answer(NUMBER, 1, 3, "{}"),
                new Message.Have(NUMBER, -1, 0, List.of()),
                new Message.Have(NUMBER, 30, 7, List.of(new ByteRange(0, 10), new ByteRange(20, 30))),
                new Message.Pull(NUMBER, 1L << 40, 1 << 20),
                new Message.Block(NUMBER, 5, 3, ByteBuffer.wrap(new byte[] {1, 2, 3})),
                new Message.Block(NUMBER, 5, 1 << 20, NONE),
                new Message.Unknown(NUMBER));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldBeTheSameWhenAMessageIsReadBack(Message message) {
        assertThat(MessageCodec.decode(MessageCodec.encode(message))).isEqualTo(message);
    }

    @Test
    void shouldHaveTheBytesOfTheProtocolWhenAMessageIsWritten() {
        ByteBuffer pull = MessageCodec.encode(new Message.Pull(NUMBER, 0x0102, 0x0304));

        assertThat(HexFormat.of().formatHex(pull.array()))
                .isEqualTo("0104" + "00112233445566778899aabbccddeeff" + "0000000000000102" + "00000304");
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldRefuseOrReadSomethingElseWhenAMessageIsCutShort(Message message) {
        ByteBuffer whole = MessageCodec.encode(message);
        for (int length = 0; length < whole.limit(); length++) {
            ByteBuffer cut = whole.duplicate().limit(length);
            if (message instanceof Message.Call || message instanceof Message.Answer) {
                // the end of a text is the end of the message
                continue;
            }
            assertThatThrownBy(() -> MessageCodec.decode(cut)).isInstanceOf(MessageException.class);
        }
    }

    @Test
    void shouldRefuseWhenAnyBitOfABlockIsAnother() {
        ByteBuffer block = MessageCodec.encode(new Message.Block(NUMBER, 5, 3, ByteBuffer.wrap(new byte[] {1, 2, 3})));
        for (int bit = 0; bit < 8 * block.limit(); bit++) {
            byte[] damaged = block.array().clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            if (damaged[1] != MessageKind.BLOCK.code()) {
                continue;
            }
            assertThatThrownBy(() -> MessageCodec.decode(ByteBuffer.wrap(damaged)))
                    .isInstanceOf(MessageException.class);
        }
    }

    @Test
    void shouldRefuseWhenBytesAreGarbage() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(80)];
            random.nextBytes(bytes);
            if (bytes.length > 2) {
                bytes[0] = 1;
                bytes[1] = (byte) (1 + random.nextInt(6));
            }
            try {
                Message message = MessageCodec.decode(ByteBuffer.wrap(bytes));
                assertThat(MessageCodec.decode(MessageCodec.encode(message))).isEqualTo(message);
            } catch (MessageException e) {
                assertThat(e).hasMessageContaining("expected");
            }
        }
    }

    @Test
    void shouldRefuseWhenNumbersAreOutOfTheirRange() {
        assertThatThrownBy(() -> MessageCodec.decode(MessageCodec.encode(new Message.Pull(NUMBER, 0, (1 << 20) + 1))))
                .isInstanceOf(MessageException.class)
                .hasMessageContaining("expected at most 1048576 bytes, found 1048577");
        assertThatThrownBy(() -> MessageCodec.decode(MessageCodec.encode(new Message.Pull(NUMBER, Long.MAX_VALUE, 1))))
                .isInstanceOf(MessageException.class);
        assertThatThrownBy(() -> MessageCodec.decode(MessageCodec.encode(
                        new Message.Have(NUMBER, 5, 0, List.of(new ByteRange(3, 6), new ByteRange(2, 4))))))
                .isInstanceOf(MessageException.class);
    }
}
