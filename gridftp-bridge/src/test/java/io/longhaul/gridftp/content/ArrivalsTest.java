package io.longhaul.gridftp.content;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ArrivalsTest {
    private static final int PIECES = 32;

    private final Arrivals arrivals = new Arrivals(new Flow());
    private long nowNs = Long.MAX_VALUE - 10;

    private static long ns(int millis) {
        return Duration.ofMillis(millis).toNanos();
    }

    /** Pieces come, one each millisecond, which were asked for so long before. */
    private void come(int count, int millis) {
        for (int i = 0; i < count; i++) {
            nowNs += ns(1);
            arrivals.came(nowNs, nowNs - ns(millis), true);
        }
    }

    private boolean isLateAfter(int millis) {
        return arrivals.isLate(nowNs + ns(millis), nowNs);
    }

    @Test
    void shouldTakeNoOutageForTheRoundTripOfWhatWaitedBehindIt() {
        // given
        come(PIECES, 100);

        // when
        nowNs += ns(20_000);
        come(PIECES, 20_050);

        // then
        assertThat(isLateAfter(3100)).isTrue();
    }

    @Test
    void shouldTakeNoOutageForTheRoundTripWhenNothingHadComeBefore() {
        // when
        nowNs += ns(20_000);
        come(PIECES, 20_000);

        // then
        assertThat(isLateAfter(3100)).isTrue();
    }

    @Test
    void shouldLearnThatTheRoundTripIsLong() {
        // given the first window
        nowNs += ns(5000);
        come(PIECES, 5000);

        // when what was asked for meanwhile comes
        nowNs += ns(3000);
        come(5 * PIECES, 3000);

        // then
        assertThat(isLateAfter(11_000)).isFalse();
        assertThat(isLateAfter(13_000)).isTrue();
    }
}
