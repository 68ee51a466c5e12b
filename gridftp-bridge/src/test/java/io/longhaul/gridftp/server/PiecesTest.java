package io.longhaul.gridftp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.range.ByteRange;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.zip.Adler32;
import org.junit.jupiter.api.Test;

final class PiecesTest {
    private static final int LENGTH = Pieces.GRAIN_BYTES + 1_000_003;

    private static byte[] random() {
        byte[] bytes = new byte[LENGTH];
        new Random(3).nextBytes(bytes);
        // sums wrap around most often where bytes are large
        bytes[0] = -1;
        return bytes;
    }

    private static String adler(byte[] bytes, int start, int end) {
        Adler32 sum = new Adler32();
        sum.update(bytes, start, end - start);
        return String.format(Locale.ROOT, "%08x", sum.getValue());
    }

    private static void add(Pieces pieces, byte[] bytes, int start, int end) {
        pieces.add(start, Unpooled.wrappedBuffer(bytes, start, end - start));
    }

    @Test
    void shouldHaveTheChecksumOfTheWholeWhenPiecesComeInAnyOrder() {
        // given
        byte[] bytes = random();
        Random random = new Random(5);
        List<Integer> edges = new ArrayList<>(List.of(0, LENGTH));
        random.ints(200, 1, LENGTH).distinct().forEach(edges::add);
        Collections.sort(edges);
        List<ByteRange> parts = new ArrayList<>();
        for (int i = 1; i < edges.size(); i++) {
            parts.add(new ByteRange(edges.get(i - 1), edges.get(i)));
        }
        Collections.shuffle(parts, random);

        // when
        Pieces pieces = new Pieces();
        parts.forEach(part -> add(pieces, bytes, (int) part.start(), (int) part.end()));

        // then
        assertThat(pieces.runs()).containsExactly(new Pieces.Run(new ByteRange(0, LENGTH), adler(bytes, 0, LENGTH)));
    }

    @Test
    void shouldKnowZerosAndWhatIsBesideAHole() {
        byte[] bytes = new byte[LENGTH];
        bytes[10] = 5;
        bytes[LENGTH - 1] = 7;
        Pieces pieces = new Pieces();
        add(pieces, bytes, 0, 100);
        add(pieces, bytes, LENGTH - 100, LENGTH);
        assertThat(pieces.runs()).hasSize(2);

        pieces.addZeros(new ByteRange(100, LENGTH - 100));

        assertThat(pieces.runs()).containsExactly(new Pieces.Run(new ByteRange(0, LENGTH), adler(bytes, 0, LENGTH)));
    }

    @Test
    void shouldClaimNothingWhenBytesCameTwiceOrWereCutOff() {
        // given
        byte[] bytes = random();
        Pieces pieces = new Pieces();
        add(pieces, bytes, 0, LENGTH);

        // when
        add(pieces, bytes, 50, 60);

        // then
        int grain = Pieces.GRAIN_BYTES;
        assertThat(pieces.covered().list()).containsExactly(new ByteRange(0, LENGTH));
        assertThat(pieces.runs())
                .containsExactly(new Pieces.Run(new ByteRange(grain, LENGTH), adler(bytes, grain, LENGTH)));

        // when
        pieces.retain(List.of(new ByteRange(0, LENGTH - 1)));

        // then
        assertThat(pieces.runs()).isEmpty();
    }
}
