package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MergerTest extends MergerCase {
    /** Each stretch comes at least once, cut anywhere, overlapping, in any order that the window allows. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldGiveTheSameBytesWhenFragmentsOverlapInAnyOrder(long first) {
        // given
        long seed = Long.getLong("longhaul.seed", 20_261_121L) + first;
        System.out.println("MergerTest seed " + seed);
        Random random = new Random(seed);
        byte[] stream = new byte[2 * WINDOW];
        random.nextBytes(stream);
        Merger merger = new Merger(window(), () -> true);
        ByteBuf found = Unpooled.buffer(stream.length);

        // when
        for (int start = 0; start < stream.length; start += WINDOW / 4) {
            List<int[]> stretches = new ArrayList<>();
            int end = Math.min(stream.length, start + WINDOW / 4);
            for (int at = start; at < end; ) {
                int length = Math.min(end - at, 1 + random.nextInt(9000));
                int back = Math.min(at, random.nextInt(5000));
                stretches.add(new int[] {at - back, length + back});
                at += length;
            }
            stretches.addAll(stretches.subList(0, random.nextInt(stretches.size())));
            Collections.shuffle(stretches, random);
            for (int[] stretch : stretches) {
                merger.offer(stretch[0], part(stream, stretch[0], stretch[1]));
                if (random.nextInt(4) == 0) {
                    drain(merger, found);
                }
            }
        }
        drain(merger, found);

        // then
        assertThat(found.array()).as("seed %s", seed).isEqualTo(stream);
        assertThat(merger.next()).isEqualTo(stream.length);
        assertThat(merger.consumed()).isEqualTo(stream.length);
        assertThat(given).allMatch(bytes -> bytes.refCnt() == 0);
    }

    @Test
    void shouldRefuseAndReleaseWhenBytesExceedTheWindow() {
        // given
        Merger merger = new Merger(window(), () -> true);
        byte[] stream = new byte[WINDOW];
        ByteBuf beyond = part(stream, 0, 10);

        // when then
        assertThatThrownBy(() -> merger.offer(WINDOW - 9, beyond))
                .isInstanceOfSatisfying(
                        PtcpException.class, e -> assertThat(e.code()).isEqualTo(PtcpException.Code.PROTOCOL));
        assertThat(beyond.refCnt()).isZero();
        merger.offer(WINDOW - 10, part(stream, 0, 10));
        assertThat(merger.poll()).isNull();
        merger.release();
        assertThat(given).allMatch(bytes -> bytes.refCnt() == 0);
    }

    @Test
    void shouldMoveTheWindowOnlyWhenTheReaderTakes() {
        // given
        Merger merger = new Merger(window(), () -> true);
        merger.offer(0, part(new byte[100], 0, 100));
        assertThat(merger.next()).isEqualTo(100);
        assertThat(merger.limit()).isEqualTo(WINDOW);

        // when
        drain(merger, Unpooled.buffer());

        // then
        assertThat(merger.limit()).isEqualTo(WINDOW + 100);
    }

    @Test
    void shouldReleaseEverythingWhenItIsDropped() {
        // given
        Merger merger = new Merger(window(), () -> true);
        byte[] stream = new byte[1000];
        merger.offer(0, part(stream, 0, 100));
        merger.offer(500, part(stream, 500, 100));

        // when
        merger.release();

        // then
        assertThat(merger.isEmpty()).isTrue();
        assertThat(given).hasSize(2).allMatch(bytes -> bytes.refCnt() == 0);
    }

    @Test
    void shouldCopyWhenASmallPartOfALargeBufferIsHeld() {
        // given
        Merger merger = new Merger(window(), () -> true);
        ByteBuf large = part(new byte[100_000], 0, 100_000);
        ByteBuf small = large.retainedSlice(0, 50);
        large.release();

        // when
        merger.offer(1000, small);

        // then
        assertThat(large.refCnt()).isZero();
        merger.release();
    }

    @Test
    void shouldHoldFewBuffersWhenSmallStretchesFollowEachOther() {
        // given
        byte[] stream = new byte[WINDOW];
        new Random(5).nextBytes(stream);
        Merger merger = new Merger(window(), () -> true);

        // when
        for (int at = 1; at < 50_000; at++) {
            merger.offer(at, part(stream, at, 1));
        }
        merger.offer(0, part(stream, 0, 1));

        // then
        int buffers = 0;
        ByteBuf found = Unpooled.buffer();
        for (ByteBuf bytes = merger.poll(); bytes != null; bytes = merger.poll()) {
            found.writeBytes(bytes);
            bytes.release();
            buffers++;
        }
        assertThat(buffers).isLessThanOrEqualTo(2);
        assertThat(found).isEqualTo(Unpooled.wrappedBuffer(stream, 0, 50_000));
        assertThat(given).allMatch(bytes -> bytes.refCnt() == 0);
    }

    @Test
    void shouldRefuseBytesBeyondTheEndWhenItIsKnown() {
        // given
        byte[] stream = new byte[100];
        Merger merger = new Merger(window(), () -> true);
        merger.offer(40, part(stream, 40, 10));
        merger.endAt(50);

        // when then
        assertThatThrownBy(() -> merger.offer(45, part(stream, 45, 6)))
                .isInstanceOf(PtcpException.class)
                .hasMessage("a packet up to 51 of a stream that ends at 50");
        merger.offer(0, part(stream, 0, 40));
        drain(merger, Unpooled.buffer());
        assertThat(merger.consumed()).isEqualTo(50);
        assertThat(given).allMatch(bytes -> bytes.refCnt() == 0);
    }

    @Test
    void shouldRefuseAnEndBeforeWhatWasReceived() {
        // given
        Merger merger = new Merger(window(), () -> true);
        merger.offer(40, part(new byte[50], 40, 10));

        // when then
        assertThatThrownBy(() -> merger.endAt(49))
                .isInstanceOf(PtcpException.class)
                .hasMessage("a stream that ends at 49, received up to 50");
        merger.release();
    }

    /** Most of what came with each part was there already. */
    @Test
    void shouldKeepNoLargeBufferForAPartOfItWhenNobodyReads() {
        // given
        int length = 5000;
        Merger merger = new Merger(window(), () -> true);
        merger.setParked(true);

        // when
        for (int i = 0; i < 10; i++) {
            ByteBuf large = part(new byte[100_000], 0, 100_000);
            merger.offer((long) i * length, large.retainedSlice(0, length));
            merger.offer(0, large.retainedSlice(0, length));
            large.release();
        }

        // then
        assertThat(given).hasSize(10).allMatch(bytes -> bytes.refCnt() == 0);
        assertThat(drain(merger, Unpooled.buffer()).readableBytes()).isEqualTo(10 * length);
    }

    /** Makes buffers that do not grow, and none outside of the heap. */
    private static ByteBufAllocator withoutMemory() {
        return new AbstractByteBufAllocator() {
            @Override
            protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
                return new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity) {
                    @Override
                    public ByteBuf capacity(int newCapacity) {
                        throw new OutOfMemoryError("none left");
                    }
                };
            }

            @Override
            protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
                throw new OutOfMemoryError("none left");
            }

            @Override
            public boolean isDirectBufferPooled() {
                return false;
            }
        };
    }

    @Test
    void shouldReleaseWhenThereIsNoMemoryForACopy() {
        // given
        ByteBuf bytes = withoutMemory().heapBuffer(10).writeZero(10);
        Merger merger = new Merger(window(), () -> true);

        // when then
        assertThatThrownBy(() -> merger.offer(5, bytes)).isInstanceOf(OutOfMemoryError.class);
        assertThat(bytes.refCnt()).isZero();
    }

    /** The middle of it is there already, so that it is cut in two. */
    @Test
    void shouldReleaseWhenThereIsNoMemoryForThePartOfAFragment() {
        // given
        Merger merger = new Merger(window(), () -> true);
        merger.offer(20, part(new byte[10], 0, 10));
        ByteBuf bytes = withoutMemory().heapBuffer(30).writeZero(30);

        // when then
        assertThatThrownBy(() -> merger.offer(10, bytes)).isInstanceOf(OutOfMemoryError.class);
        assertThat(bytes.refCnt()).isZero();
        merger.release();
    }

    @Test
    void shouldGiveItsMemoryBackWhenItIsDropped() {
        // given
        WindowBudget budget = new WindowBudget(8L * WINDOW);
        Merger merger = new Merger(new Window(WINDOW, 2L * WINDOW, budget, () -> 0), () -> true);
        merger.offer(0, part(new byte[WINDOW], 0, WINDOW));
        drain(merger, Unpooled.buffer());
        assertThat(merger.limit()).isEqualTo(3L * WINDOW);

        // when
        merger.release();

        // then
        assertThat(budget.freeBytes()).isEqualTo(8L * WINDOW);
    }

    /** Where they are gathered, and where they are kept alone. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTakeBytesThatComeAgainWhenThereWasNoMemoryForThem(boolean gathered) {
        // given
        byte[] stream = "first,second".getBytes(StandardCharsets.US_ASCII);
        int from = gathered ? 6 : 0;
        Merger merger = new Merger(window(), () -> true);
        merger.offer(0, withoutMemory().heapBuffer(from).writeBytes(stream, 0, from));
        merger.setParked(!gathered);
        ByteBuf lost = withoutMemory().heapBuffer(6).writeBytes(stream, from, 6);
        assertThatThrownBy(() -> merger.offer(from, lost)).isInstanceOf(OutOfMemoryError.class);
        merger.setParked(false);
        ByteBuf found = drain(merger, Unpooled.buffer());

        // when
        merger.offer(from, part(stream, from, 12 - from));

        // then
        assertThat(lost.refCnt()).isZero();
        assertThat(drain(merger, found)).isEqualTo(Unpooled.wrappedBuffer(stream));
        assertThat(merger.next()).isEqualTo(12);
    }
}
