package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SplitterTest {
    private static final int PACKET = 1000;
    private static final int WINDOW = 20_000;

    private final Splitter splitter = new Splitter(PACKET, WINDOW, WINDOW, UnpooledByteBufAllocator.DEFAULT);
    private final List<ByteBuf> given = new ArrayList<>();

    private void write(byte[] stream, int from, int length) {
        ByteBuf bytes = Unpooled.copiedBuffer(stream, from, length);
        given.add(bytes);
        splitter.add(bytes);
    }

    private static byte[] bytes(Packet packet) {
        ByteBuf taken = packet.take();
        byte[] bytes = ByteBufUtil.getBytes(taken);
        taken.release();
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldGiveEveryByteWhenStreamsAreLostAtAnyTime(long seed) {
        // given
        SplittableRandom random = new SplittableRandom(seed);
        byte[] stream = new byte[300_000];
        random.nextBytes(stream);
        byte[] arrived = new byte[stream.length];
        int written = 0;
        long limit = WINDOW;

        // when
        while (splitter.acknowledged() < stream.length) {
            int chunk = Math.min(stream.length - written, 1 + random.nextInt(random.nextBoolean() ? 50 : 5000));
            if (chunk > 0) {
                write(stream, written, chunk);
                written += chunk;
            }
            Packet packet = splitter.take();
            while (packet != null) {
                packet.sent(random.nextInt(4), 0);
                assertThat(packet.end()).isLessThanOrEqualTo(limit);
                assertThat(packet.length()).isBetween(1, PACKET);
                byte[] bytes = bytes(packet);
                System.arraycopy(bytes, 0, arrived, (int) packet.position(), bytes.length);
                packet = splitter.take();
            }
            if (random.nextInt(3) == 0) {
                splitter.lost(random.nextInt(4));
            } else {
                long next =
                        splitter.acknowledged() + random.nextLong(splitter.position() - splitter.acknowledged() + 1);
                limit = Math.max(limit, next + WINDOW);
                splitter.acknowledged(next, limit);
            }
        }

        // then
        assertThat(Arrays.equals(arrived, stream)).as("seed %d", seed).isTrue();
        assertThat(splitter.hasNext()).isFalse();
        assertThat(given).allSatisfy(buffer -> assertThat(buffer.refCnt()).isZero());
    }

    @Test
    void shouldStopAtTheLimitAndGoOnWhenItMoves() {
        // given
        write(new byte[2 * WINDOW], 0, 2 * WINDOW);

        // when
        long sent = 0;
        for (Packet packet = splitter.take(); packet != null; packet = splitter.take()) {
            sent = packet.end();
        }

        // then
        assertThat(sent).isEqualTo(WINDOW);
        assertThat(splitter.hasNext()).isFalse();
        assertThat(splitter.acknowledged(PACKET, WINDOW + PACKET)).isTrue();
        assertThat(splitter.hasNext()).isTrue();
        splitter.release();
        assertThat(given).allSatisfy(buffer -> assertThat(buffer.refCnt()).isZero());
    }

    @Test
    void shouldGiveLostPacketsFirstAndOnceWhenTheirStreamDies() {
        // given
        write(new byte[5 * PACKET], 0, 5 * PACKET);
        for (int stream = 1; stream <= 3; stream++) {
            splitter.take().sent(stream % 2, 0);
        }

        // when
        long lost = splitter.lost(1);

        // then
        assertThat(lost).isEqualTo(2 * PACKET);
        assertThat(splitter.lost(1)).isZero();
        assertThat(List.of(splitter.take(), splitter.take(), splitter.take()))
                .extracting(Packet::position)
                .containsExactly(0L, 2L * PACKET, 3L * PACKET);
        splitter.release();
    }

    @Test
    void shouldGatherSmallWritesIntoOnePacket() {
        // given
        for (int i = 0; i < 10; i++) {
            write(new byte[] {(byte) i}, 0, 1);
        }

        // when
        Packet packet = splitter.take();

        // then
        assertThat(bytes(packet)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        splitter.release();
    }

    @Test
    void shouldRefuseAnAcknowledgementOfWhatWasNotSent() {
        // when then
        assertThatThrownBy(() -> splitter.acknowledged(1, WINDOW))
                .isInstanceOfSatisfying(
                        PtcpException.class, e -> assertThat(e.code()).isEqualTo(PtcpException.Code.PROTOCOL));
    }
}
