package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.WriteBufferWaterMark;
import org.junit.jupiter.api.Test;

final class WriteMarksTest {
    private static final int KIB = 1024;

    @Test
    void shouldHoldWhatAStreamCarriesInMilliseconds() {
        // given
        long gigabit = 1_000_000_000 / 8; // in a second

        // when
        WriteBufferWaterMark slow = WriteMarks.of(gigabit / 200, 1_000_000);
        WriteBufferWaterMark middle = WriteMarks.of(gigabit / 16 / 20, 50_000);
        WriteBufferWaterMark fast = WriteMarks.of(gigabit, 100_000);

        // then
        assertThat(slow.high()).isEqualTo(32 * KIB);
        assertThat(middle.high()).isEqualTo(256 * KIB);
        assertThat(middle.low()).isEqualTo(128 * KIB);
        assertThat(fast.high()).isEqualTo(512 * KIB);
        assertThat(WriteMarks.unsentBytes(slow)).isEqualTo(32 * KIB);
        assertThat(WriteMarks.unsentBytes(middle)).isEqualTo(128 * KIB);
        assertThat(WriteMarks.unsentBytes(fast)).isEqualTo(256 * KIB);
    }

    @Test
    void shouldHoldLittleWhileNothingIsKnown() {
        // when
        WriteBufferWaterMark marks = WriteMarks.of(Integer.MAX_VALUE, 0);

        // then
        assertThat(marks).isSameAs(WriteMarks.FIRST);
    }

    @Test
    void shouldBoundWhatIsHeldWhateverTheSystemSays() {
        // when
        WriteBufferWaterMark marks = WriteMarks.of(1L << 42, 1);

        // then
        assertThat(marks.high()).isEqualTo(512 * KIB);
    }
}
