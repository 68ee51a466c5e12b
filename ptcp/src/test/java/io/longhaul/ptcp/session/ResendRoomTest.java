package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ResendRoomTest {
    private static final long MIB = 1024 * 1024;
    private final WindowBudget budget = new WindowBudget(128 * MIB);

    private ResendRoom room() {
        return new ResendRoom(MIB, 64 * MIB, budget);
    }

    /** Keeps as much as it may; returns how much that is. */
    private static long fill(ResendRoom room) {
        long kept = 0;
        for (long left = room.left(0); left > 0; left = room.left(kept)) {
            kept += left;
        }
        return kept;
    }

    @Test
    void shouldKeepItsFirstBytesWithoutTheBudget() {
        // given
        ResendRoom room = room();

        // when then
        assertThat(room.left(0)).isEqualTo(MIB);
        assertThat(room.left(MIB - 1)).isEqualTo(1);
        assertThat(budget.freeBytes()).isEqualTo(128 * MIB);
    }

    @Test
    void shouldGrowWithWhatIsUnderWayUpToItsShare() {
        // given
        ResendRoom room = room();

        // when then
        assertThat(room.left(MIB)).isEqualTo(4 * MIB);
        assertThat(fill(room)).isEqualTo(33 * MIB);
        assertThat(budget.freeBytes()).isEqualTo(96 * MIB);
    }

    /** A crowd whose other ends acknowledge nothing leaves no more to do than to wait. */
    @Test
    void shouldKeepNoMoreThanThereIsWhenManyAreNeverAnswered() {
        // given
        long kept = 0;

        // when
        for (int i = 0; i < 1000; i++) {
            kept += fill(room());
        }

        // then
        assertThat(kept).isLessThanOrEqualTo(1000 * MIB + 128 * MIB);
        assertThat(room().left(0)).isEqualTo(MIB);
    }

    @Test
    void shouldGiveBackWhatItNeedsNoMore() {
        // given
        ResendRoom room = room();
        fill(room);

        // when then
        room.shrunk(3 * MIB);
        assertThat(budget.freeBytes()).isEqualTo(96 * MIB);
        room.shrunk(MIB);
        assertThat(budget.freeBytes()).isEqualTo(124 * MIB);
        room.shrunk(0);
        assertThat(budget.freeBytes()).isEqualTo(128 * MIB);
        fill(room);
        room.release();
        assertThat(budget.freeBytes()).isEqualTo(128 * MIB);
    }

    @Test
    void shouldKeepAtMostWhatIsSet() {
        // given
        ResendRoom room = new ResendRoom(MIB, 3 * MIB, budget);

        // when then
        assertThat(fill(room)).isEqualTo(3 * MIB);
    }
}
