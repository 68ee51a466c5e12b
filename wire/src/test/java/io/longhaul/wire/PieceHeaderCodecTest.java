package io.longhaul.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

final class PieceHeaderCodecTest {
    private static final int CRC_OFFSET = 42;
    private static final int ENTRY_OFFSET = 46;
    private final byte[] whole = PieceHeaderCodec.encode(Frames.range().header());

    @Test
    void shouldRefuseWhenTheHeaderEndsAtAnyByte() {
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> PieceHeaderCodec.decode(cut)).isInstanceOf(WireException.class);
        }
    }

    @Test
    void shouldRefuseWhenTheHeaderEndsAtAnyByteThoughItsChecksumMatches() {
        for (int length = ENTRY_OFFSET + 1; length < whole.length; length++) {
            byte[] cut = withChecksum(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> PieceHeaderCodec.decode(cut)).isInstanceOf(WireException.class);
        }
    }

    @Test
    void shouldNoticeWhenAnyBitIsFlipped() {
        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> PieceHeaderCodec.decode(flipped)).isInstanceOf(WireException.class);
        }
    }

    @Test
    void shouldNameBothChecksumsWhenTheyDiffer() {
        // given
        byte[] flipped = whole.clone();
        flipped[20] ^= 1;

        // when, then
        assertThatThrownBy(() -> PieceHeaderCodec.decode(flipped))
                .hasMessageMatching("piece header: expected CRC-32C [0-9a-f]{8}, found [0-9a-f]{8}");
    }

    @Test
    void shouldRefuseWhenBytesFollow() {
        byte[] longer = withChecksum(Arrays.copyOf(whole, whole.length + 1));
        assertThatThrownBy(() -> PieceHeaderCodec.decode(longer)).hasMessageContaining("found 1 bytes more");
    }

    @Test
    void shouldRefuseWhenTheVersionIsUnknown() {
        byte[] newer = whole.clone();
        newer[0] = 2;
        assertThatThrownBy(() -> PieceHeaderCodec.decode(withChecksum(newer)))
                .hasMessageContaining("piece header version: expected 1, found 2");
    }

    @Test
    void shouldRefuseWhenAFieldIsOutOfBoundsThoughTheChecksumMatches() {
        assertRefused(1, 1, 0); // kind
        assertRefused(1, 1, 4);
        assertRefused(18, 8, -1); // index
        assertRefused(18, 8, Limits.MAX_PIECES);
        assertRefused(26, 8, -1); // offset
        assertRefused(26, 8, Long.MAX_VALUE);
        assertRefused(26, 8, Frames.LARGE_FILE.length() - 2);
        assertRefused(34, 4, -1); // length
        assertRefused(34, 4, 0);
        assertRefused(34, 4, Limits.MAX_PIECE_SIZE + 1);
        assertRefused(ENTRY_OFFSET + 8, 1, EntryType.DIRECTORY.code());
        assertRefused(ENTRY_OFFSET + 27, 2, 0xFFFF); // the entry's path
    }

    private void assertRefused(int offset, int bytes, long value) {
        byte[] broken = whole.clone();
        for (int i = 0; i < bytes; i++) {
            broken[offset + i] = (byte) (value >>> 8 * (bytes - 1 - i));
        }
        assertThatThrownBy(() -> PieceHeaderCodec.decode(withChecksum(broken)))
                .as("offset %d, value %d", offset, value)
                .isInstanceOf(WireException.class);
    }

    @Test
    void shouldTakeTheLastBytesOfTheLongestFile() {
        // given
        long last = Limits.MAX_LENGTH - 1;
        PieceHeader header = new PieceHeader(Frames.TRANSFER, 0, PieceHeader.Kind.RANGE, last, 1, 0, Optional.empty());

        // when, then
        assertThat(PieceHeaderCodec.decode(PieceHeaderCodec.encode(header))).isEqualTo(header);
        assertThatThrownBy(
                        () -> new PieceHeader(Frames.TRANSFER, 0, PieceHeader.Kind.RANGE, last, 2, 0, Optional.empty()))
                .isInstanceOf(WireException.class);
    }

    @Test
    void shouldRefuseWhenAPackHasAnOffsetOrAnEntry() {
        assertThatThrownBy(() -> new PieceHeader(Frames.TRANSFER, 0, PieceHeader.Kind.PACK, 1, 9, 0, Optional.empty()))
                .isInstanceOf(WireException.class);
        assertThatThrownBy(() -> new PieceHeader(
                        Frames.TRANSFER, 0, PieceHeader.Kind.PACK, 0, 9, 0, Optional.of(Frames.LARGE_FILE)))
                .isInstanceOf(WireException.class);
    }

    private static byte[] withChecksum(byte[] header) {
        CRC32C crc = new CRC32C();
        crc.update(header, 0, CRC_OFFSET);
        crc.update(header, ENTRY_OFFSET, header.length - ENTRY_OFFSET);
        ByteBuffer.wrap(header).putInt(CRC_OFFSET, (int) crc.getValue());
        return header;
    }
}
