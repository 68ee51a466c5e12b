package io.longhaul.gridftp.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

final class KeptBlocksTest {
    private static final int MIB = 1024 * 1024;

    private final Semaphore room = new Semaphore(16 * MIB);
    private final KeptBlocks kept = new KeptBlocks(room);

    private static ByteBuffer block(int value, int length) {
        ByteBuffer block = ByteBuffer.allocate(length);
        while (block.hasRemaining()) {
            block.put((byte) value);
        }
        return block.flip();
    }

    private void keep(long position, int value, int length) {
        assertThat(kept.take(length)).isTrue();
        kept.put(position, block(value, length));
    }

    @Test
    void shouldGiveABlockPartByPartAndNotAgain() {
        // given
        keep(100, 7, 10);
        ByteBuffer first = ByteBuffer.allocate(4);
        ByteBuffer second = ByteBuffer.allocate(100);

        // when
        int before = kept.read(99, ByteBuffer.allocate(1));
        int read = kept.read(100, first);
        int rest = kept.read(104, second);
        int again = kept.read(100, ByteBuffer.allocate(1));

        // then
        assertThat(before).isZero();
        assertThat(read).isEqualTo(4);
        assertThat(rest).isEqualTo(6);
        assertThat(again).isZero();
        assertThat(first.flip()).isEqualTo(block(7, 4));
        assertThat(second.flip()).isEqualTo(block(7, 6));
        assertThat(room.availablePermits()).isEqualTo(16 * MIB);
    }

    @Test
    void shouldTellWhereTheNextBlockBegins() {
        // given
        keep(100, 1, 10);
        keep(200, 2, 10);

        // when
        long behindTheFirst = kept.next(100);
        long behindAll = kept.next(200);

        // then
        assertThat(behindTheFirst).isEqualTo(200);
        assertThat(behindAll).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldLeaveRoomToOtherContents() {
        // given
        for (int i = 0; i < 8; i++) {
            keep((long) i * MIB, i, MIB);
        }
        KeptBlocks other = new KeptBlocks(room);

        // when
        boolean more = kept.take(1);
        boolean others = other.take(8 * MIB);
        boolean third = new KeptBlocks(room).take(1);

        // then
        assertThat(more).isFalse();
        assertThat(others).isTrue();
        assertThat(third).isFalse();
    }

    @Test
    void shouldGiveTheRoomBackWhenForgottenOrEnded() {
        // given
        keep(0, 1, MIB);
        keep(MIB, 2, MIB);
        kept.forget();
        int forgotten = kept.read(0, ByteBuffer.allocate(1));
        boolean late = kept.take(MIB);

        // when
        kept.end();
        kept.put(0, block(3, MIB));

        // then
        assertThat(forgotten).isZero();
        assertThat(late).isTrue();
        assertThat(kept.read(0, ByteBuffer.allocate(1))).isZero();
        assertThat(kept.take(1)).isFalse();
        assertThat(room.availablePermits()).isEqualTo(16 * MIB);
    }

    @Test
    void shouldCountABlockOnceWhenAnotherComesInItsPlace() {
        // given
        keep(0, 1, 10);

        // when
        keep(0, 2, 20);

        // then
        ByteBuffer read = ByteBuffer.allocate(20);
        assertThat(kept.read(0, read)).isEqualTo(20);
        assertThat(read.flip()).isEqualTo(block(2, 20));
        assertThat(room.availablePermits()).isEqualTo(16 * MIB);
    }
}
