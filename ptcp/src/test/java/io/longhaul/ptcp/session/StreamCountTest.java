package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class StreamCountTest {
    private static final long INTERVAL_NS = 500_000_000L;
    private static final double PER_STREAM = 10_000_000;

    /** Lets so many intervals pass in a network whose rate follows from the number of streams. */
    private static int after(StreamCount count, int intervals, IntToDoubleFunction rate) {
        for (int i = 1; i <= intervals; i++) {
            count.observe((long) rate.applyAsDouble(count.target()), INTERVAL_NS, i * INTERVAL_NS);
        }
        return count.target();
    }

    @Test
    void shouldReachTheMostWhenEveryStreamAddsItsShare() {
        // when then
        assertThat(after(StreamCount.auto(16), 4, streams -> streams * PER_STREAM))
                .isEqualTo(16);
    }

    @Test
    void shouldStopWhereMoreBringNothing() {
        // given
        StreamCount count = StreamCount.auto(16);

        // when
        after(count, 6, streams -> Math.min(streams, 4) * PER_STREAM);

        // then
        assertThat(count.target()).isEqualTo(4);
    }

    @Test
    void shouldGoDownWhenFewerDoAsWell() {
        // given
        StreamCount count = StreamCount.auto(16);
        after(count, 4, streams -> streams * PER_STREAM);

        // when
        after(count, 400, streams -> Math.min(streams, 4) * PER_STREAM);

        // then
        assertThat(count.target()).isBetween(2, 8);
    }

    @Test
    void shouldNeverLeaveItsBoundsWhateverTheRates() {
        // given
        StreamCount count = StreamCount.auto(5);
        java.util.SplittableRandom random = new java.util.SplittableRandom(1);

        // when then
        for (int i = 1; i < 5000; i++) {
            count.observe(random.nextLong(1_000_000), INTERVAL_NS, i * INTERVAL_NS);
            if (random.nextInt(10) == 0) {
                count.idle();
            }
            assertThat(count.target()).isBetween(1, 5);
        }
    }

    @Test
    void shouldStayWhenTheNumberIsFixed() {
        // when then
        assertThat(after(StreamCount.fixed(3), 100, streams -> streams * PER_STREAM))
                .isEqualTo(3);
    }
}
