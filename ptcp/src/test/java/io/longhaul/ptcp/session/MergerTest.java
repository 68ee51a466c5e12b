package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MergerTest {
    private static final int LENGTH = 200_000;
    private static final int WINDOW = 50_000;

    private final Merger merger = new Merger(WINDOW);
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();

    private void drain() {
        for (ByteBuf bytes = merger.poll(); bytes != null; bytes = merger.poll()) {
            read.writeBytes(ByteBufUtil.getBytes(bytes));
            bytes.release();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldGiveTheStreamWhenPartsComeInAnyOrderAndOverlap(long seed) {
        // given
        SplittableRandom random = new SplittableRandom(seed);
        byte[] stream = new byte[LENGTH];
        random.nextBytes(stream);
        List<ByteBuf> given = new ArrayList<>();

        // when
        while (merger.next() < LENGTH) {
            long base = Math.max(0, merger.next() - 3000);
            int from = (int) Math.min(LENGTH - 1, base + random.nextInt(WINDOW / 2));
            int most = (int) Math.min(Math.min(LENGTH, merger.limit()) - from, 1 + random.nextInt(6000));
            if (random.nextInt(5) == 0) {
                from = (int) merger.next();
                most = (int) Math.min(Math.min(LENGTH, merger.limit()) - from, most);
            }
            if (most > 0) {
                // a part of a larger buffer, as it comes from a socket
                ByteBuf socket =
                        Unpooled.directBuffer(2 * most + 10).writeZero(7).writeBytes(stream, from, most);
                given.add(socket);
                merger.offer(from, socket.skipBytes(7).readRetainedSlice(most));
                socket.release();
            }
            if (random.nextInt(3) == 0) {
                drain();
            }
        }
        drain();

        // then
        assertThat(Arrays.equals(read.toByteArray(), stream))
                .as("seed %d", seed)
                .isTrue();
        merger.release();
        assertThat(given).allSatisfy(buffer -> assertThat(buffer.refCnt()).isZero());
    }

    @Test
    void shouldRefuseWhatIsBeyondTheWindow() {
        // given
        ByteBuf bytes = Unpooled.buffer(10).writeZero(10);

        // when then
        assertThatThrownBy(() -> merger.offer(WINDOW - 9, bytes))
                .isInstanceOfSatisfying(
                        PtcpException.class, e -> assertThat(e.code()).isEqualTo(PtcpException.Code.PROTOCOL));
        assertThat(bytes.refCnt()).isZero();
    }

    @Test
    void shouldMoveTheLimitOnlyWhenTheReaderTakesBytes() {
        // when
        merger.offer(0, Unpooled.buffer(100).writeZero(100));

        // then
        assertThat(merger.next()).isEqualTo(100);
        assertThat(merger.limit()).isEqualTo(WINDOW);

        // when
        drain();

        // then
        assertThat(merger.limit()).isEqualTo(WINDOW + 100);
    }

    @Test
    void shouldCopyWhatWaitsWhenItKeepsALargeBuffer() {
        // given
        ByteBuf socket = Unpooled.directBuffer(64 * 1024).writeZero(64 * 1024);

        // when
        merger.offer(500, socket.readRetainedSlice(10));

        // then
        assertThat(socket.refCnt()).isEqualTo(1);
        merger.release();
        socket.release();
    }
}
