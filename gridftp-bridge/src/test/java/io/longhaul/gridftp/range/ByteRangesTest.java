package io.longhaul.gridftp.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ByteRangesTest {
    @Test
    void shouldMergeWhenRangesTouchOrOverlap() {
        ByteRanges ranges = new ByteRanges();

        ranges.add(10, 20);
        ranges.add(30, 40);
        ranges.add(20, 30);

        assertThat(ranges).hasToString("10-40");
        assertThat(ranges.total()).isEqualTo(30);
        assertThat(ranges.isWhole()).isFalse();
    }

    @Test
    void shouldTellWhatIsMissingWhenThereAreHoles() {
        ByteRanges ranges = ByteRanges.of(List.of(new ByteRange(5, 10), new ByteRange(20, 25)));

        assertThat(ranges.missing(30))
                .containsExactly(new ByteRange(0, 5), new ByteRange(10, 20), new ByteRange(25, 30));
        assertThat(ranges.missing(7)).containsExactly(new ByteRange(0, 5));
        assertThat(new ByteRanges().missing(3)).containsExactly(new ByteRange(0, 3));
    }

    @Test
    void shouldBeTheSameSetOfBytesWhenRangesComeInAnyOrder() {
        // given
        long seed = System.nanoTime();
        Random random = new Random(seed);
        ByteRanges ranges = new ByteRanges();
        BitSet bits = new BitSet();

        for (int i = 0; i < 500; i++) {
            // when
            int start = random.nextInt(2000);
            int end = start + random.nextInt(20);
            ranges.add(start, end);
            bits.set(start, end);

            // then
            assertThat(ranges.total()).as("seed %d", seed).isEqualTo(bits.cardinality());
        }
        assertThat(ranges.end()).isEqualTo(bits.length());
        assertThat(ranges.contains(new ByteRange(bits.nextSetBit(0), bits.nextClearBit(bits.nextSetBit(0)))))
                .isTrue();
    }
}
