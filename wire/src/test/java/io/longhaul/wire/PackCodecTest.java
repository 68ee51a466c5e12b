package io.longhaul.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PackCodecTest {
    private static final int CONTENT_CRC = 31 + 5; // of the small file: behind its fixed part and its path
    private final ByteBuffer pack = Frames.pack();

    @Test
    void shouldComeBackTheSameWhenEntriesArePacked() {
        // when
        List<PackCodec.Packed> unpacked = PackCodec.decode(pack);

        // then
        assertThat(unpacked)
                .extracting(PackCodec.Packed::entry)
                .containsExactly(Frames.DIRECTORY, Frames.SMALL_FILE, Frames.LINK);
        assertThat(StandardCharsets.US_ASCII.decode(unpacked.get(1).content()).toString())
                .isEqualTo("abc");
        assertThat(pack.position()).isZero();
    }

    @Test
    void shouldTellTheSizeWhenAsked() {
        int sum = PackCodec.size(Frames.DIRECTORY) + PackCodec.size(Frames.SMALL_FILE) + PackCodec.size(Frames.LINK);
        assertThat(sum).isEqualTo(pack.remaining());
    }

    @Test
    void shouldBeEmptyWhenThereAreNoBytes() {
        assertThat(PackCodec.decode(ByteBuffer.allocate(0))).isEmpty();
    }

    @Test
    void shouldRefuseWhenItEndsInsideAnEntry() {
        // given
        Set<Integer> ends = new HashSet<>(List.of(0));
        List<Entry> entries = new ArrayList<>(List.of(Frames.DIRECTORY, Frames.SMALL_FILE, Frames.LINK));
        int end = 0;
        for (Entry entry : entries) {
            end += PackCodec.size(entry);
            ends.add(end);
        }

        for (int length = 0; length < pack.remaining(); length++) {
            // when
            ByteBuffer cut = pack.slice(0, length);

            // then
            if (ends.contains(length)) {
                assertThat(PackCodec.decode(cut)).hasSizeLessThan(3);
            } else {
                assertThatThrownBy(() -> PackCodec.decode(cut)).isInstanceOf(WireException.class);
            }
        }
    }

    @Test
    void shouldNameTheEntryWhenItsContentIsDamaged() {
        // given
        ByteBuffer damaged = smallFile();
        damaged.put(damaged.limit() - 1, (byte) 'x');

        // when, then
        assertThatThrownBy(() -> PackCodec.decode(damaged))
                .isInstanceOf(WireException.class)
                .hasMessageMatching("pack entry \"a/abc\": expected CRC-32C [0-9a-f]{8}, found [0-9a-f]{8}");
    }

    @Test
    void shouldRefuseWhenAContentLies() {
        for (int length : new int[] {2, 4, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            ByteBuffer lying = smallFile();
            lying.putInt(CONTENT_CRC + 4, length);
            assertThatThrownBy(() -> PackCodec.decode(lying))
                    .isInstanceOf(WireException.class)
                    .hasMessageContaining("found length " + length);
        }
    }

    @Test
    void shouldRefuseWhenAnEntryClaimsMoreThanThereIs() {
        // given
        ByteBuffer lying = smallFile();
        lying.putLong(19, 1L << 40);

        // when, then
        assertThatThrownBy(() -> PackCodec.decode(lying)).isInstanceOf(WireException.class);
    }

    @Test
    void shouldRefuseToAppendWhenTheContentHasAnotherLength() {
        ByteBuffer two = ByteBuffer.allocate(2);
        assertThatThrownBy(() -> PackCodec.append(ByteBuffer.allocate(100), Frames.SMALL_FILE, two))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("expected a content of 3 bytes, found 2");
    }

    private static ByteBuffer smallFile() {
        ByteBuffer one = ByteBuffer.allocate(PackCodec.size(Frames.SMALL_FILE));
        PackCodec.append(one, Frames.SMALL_FILE, ByteBuffer.wrap("abc".getBytes(StandardCharsets.US_ASCII)));
        return one.flip();
    }
}
