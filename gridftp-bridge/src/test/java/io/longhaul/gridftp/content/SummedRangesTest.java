package io.longhaul.gridftp.content;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.range.ByteRange;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SummedRangesTest {
    @Test
    void shouldHaveTheSumOfTheCatalogueWhenPartsAreAdded() {
        // given
        byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
        SummedRanges ranges = new SummedRanges();

        // when
        ranges.add(4, ByteBuffer.wrap(digits, 4, 5));
        ranges.add(0, ByteBuffer.wrap(digits, 0, 4));

        // then
        assertThat(ranges.checksum()).hasValue(0xe3069283);
        assertThat(ranges.count()).isEqualTo(1);
    }

    @Test
    void shouldHaveTheSumOfTheWholeWhenPartsComeInAnyOrder() {
        Random random = new Random(5);
        for (int round = 0; round < 50; round++) {
            // given
            byte[] bytes = new byte[1 + random.nextInt(100_000)];
            random.nextBytes(bytes);
            List<ByteRange> parts = new ArrayList<>();
            int at = 0;
            while (at < bytes.length) {
                int end = Math.min(bytes.length, at + 1 + random.nextInt(20_000));
                parts.add(new ByteRange(at, end));
                at = end;
            }
            Collections.shuffle(parts, random);

            // when
            SummedRanges ranges = new SummedRanges();
            for (ByteRange part : parts) {
                ranges.add(part.start(), ByteBuffer.wrap(bytes, (int) part.start(), (int) part.length()));
            }

            // then
            assertThat(ranges.checksum()).hasValue(Crc32cSums.of(ByteBuffer.wrap(bytes)));
            assertThat(ranges.total()).isEqualTo(bytes.length);
        }
    }

    @Test
    void shouldNotClaimToKnowTheSumWhenBytesWereWrittenOverOrTrimmed() {
        SummedRanges ranges = new SummedRanges();
        ranges.add(0, ByteBuffer.wrap(new byte[10]));
        ranges.add(20, ByteBuffer.wrap(new byte[10]));

        ranges.add(5, ByteBuffer.wrap(new byte[20]));
        assertThat(ranges.checksum()).isEmpty();
        assertThat(ranges.total()).isEqualTo(30);

        ranges.trim(7);
        assertThat(ranges.total()).isEqualTo(7);
        assertThat(ranges.checksum()).isEmpty();
        ranges.clear();
        assertThat(ranges.checksum()).hasValue(0);
    }
}
