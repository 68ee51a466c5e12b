package io.longhaul.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EntryTest {
    private static final int PATH_LENGTH = 27;

    @Test
    void shouldComeBackTheSameWhenEncoded() {
        // given
        Entry longest = new Entry(
                Limits.MAX_ENTRIES - 1,
                ("é".repeat(127) + "/").repeat(16) + "e".repeat(16),
                EntryType.FILE,
                07777,
                Long.MIN_VALUE,
                Limits.MAX_LENGTH,
                "");

        for (Entry entry : List.of(Frames.LARGE_FILE, Frames.SMALL_FILE, Frames.DIRECTORY, Frames.LINK, longest)) {
            // when
            ByteBuffer encoded = ByteBuffer.wrap(EntryCodec.encode(entry));

            // then
            assertThat(EntryCodec.decode(encoded)).isEqualTo(entry);
            assertThat(encoded.hasRemaining()).isFalse();
        }
    }

    @Test
    void shouldRefuseWhenItEndsAtAnyByte() {
        for (Entry entry : List.of(Frames.LARGE_FILE, Frames.LINK)) {
            byte[] whole = EntryCodec.encode(entry);
            for (int length = 0; length < whole.length; length++) {
                ByteBuffer cut = ByteBuffer.wrap(whole, 0, length);
                assertThatThrownBy(() -> EntryCodec.decode(cut)).isInstanceOf(WireException.class);
            }
        }
    }

    @Test
    void shouldRefuseWhenThePathIsNotUtf8() {
        for (byte[] bytes : new byte[][] {
            {(byte) 0xFF}, {(byte) 0xC0, (byte) 0xAF}, {(byte) 0xED, (byte) 0xA0, (byte) 0x80}, {'a', (byte) 0xE2}
        }) {
            ByteBuffer encoded = withPath(bytes);
            assertThatThrownBy(() -> EntryCodec.decode(encoded))
                    .isInstanceOf(WireException.class)
                    .hasMessageContaining("UTF-8");
        }
    }

    @Test
    void shouldRefuseWhenThePathLeadsOut() {
        for (String path : List.of("..", "/etc", "a/../../b", "a//b", "a/", ".", "", "a\0b")) {
            ByteBuffer encoded = withPath(path.getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(() -> EntryCodec.decode(encoded)).isInstanceOf(WireException.class);
        }
    }

    private static ByteBuffer withPath(byte[] path) {
        byte[] fixed = EntryCodec.encode(Frames.SMALL_FILE);
        return ByteBuffer.allocate(PATH_LENGTH + 2 + path.length + 2)
                .put(fixed, 0, PATH_LENGTH)
                .putShort((short) path.length)
                .put(path)
                .putShort((short) 0)
                .flip();
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 0644, 0",
        "1099511627777, 0644, 0",
        "0, -1, 0",
        "0, 010000, 0",
        "0, 0644, -1",
        "0, 0644, 1152921504606846977",
    })
    void shouldRefuseWhenANumberIsOutOfBounds(long number, String mode, long length) {
        assertThatThrownBy(() -> new Entry(number, "a", EntryType.FILE, Integer.parseInt(mode, 8), 0, length, ""))
                .isInstanceOf(WireException.class);
    }

    @Test
    void shouldRefuseWhenFieldsContradictTheType() {
        assertRefused(EntryType.FILE, 0, "b");
        assertRefused(EntryType.DIRECTORY, 0, "b");
        assertRefused(EntryType.DIRECTORY, 1, "");
        assertRefused(EntryType.SYMLINK, 1, "b");
        assertRefused(EntryType.SYMLINK, 0, "");
    }

    private static void assertRefused(EntryType type, long length, String target) {
        assertThatThrownBy(() -> new Entry(0, "a", type, 0644, 0, length, target))
                .isInstanceOf(WireException.class);
    }

    @Test
    void shouldRefuseWhenTheTypeIsUnknown() {
        for (int code : new int[] {0, 4, -1}) {
            byte[] encoded = EntryCodec.encode(Frames.SMALL_FILE);
            encoded[8] = (byte) code;
            assertThatThrownBy(() -> EntryCodec.decode(ByteBuffer.wrap(encoded)))
                    .isInstanceOf(WireException.class)
                    .hasMessageContaining("entry type: expected 1, 2 or 3, found " + code);
        }
    }
}
