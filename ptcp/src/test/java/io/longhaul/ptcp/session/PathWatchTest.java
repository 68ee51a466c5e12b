package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PathWatchTest {
    private static final int MILLI = 1000;
    private final PathWatch path = new PathWatch();
    private long nowNs = -17;

    /** Lets seconds pass in which packets take so long; returns what the path was like in the last. */
    private StreamCount.Path run(int seconds, int millis) {
        StreamCount.Path last = StreamCount.Path.CLEAR;
        for (int i = 0; i < seconds; i++) {
            nowNs += Duration.ofSeconds(1).toNanos();
            path.roundTrip((long) millis * MILLI, nowNs);
            last = path.path();
            path.next();
        }
        return last;
    }

    @Test
    void shouldBeFullWhenRoundTripsAreLongerThanAtTheirBest() {
        assertThat(run(10, 50)).isEqualTo(StreamCount.Path.CLEAR);
        assertThat(run(60, 100)).isEqualTo(StreamCount.Path.FULL);
        assertThat(run(1, 60)).isEqualTo(StreamCount.Path.CLEAR);
    }

    @Test
    void shouldBeLossyAWhileWhenAPacketWasLost() {
        // given
        run(10, 50);
        path.lost(true);

        // when then
        assertThat(run(4, 50)).isEqualTo(StreamCount.Path.LOSSY);
        assertThat(run(1, 50)).isEqualTo(StreamCount.Path.CLEAR);
        path.lost(true);
        assertThat(run(1, 100)).isEqualTo(StreamCount.Path.FULL);
    }

    @Test
    void shouldForgetTheBestRoundTripWhenPacketsGoALongerWay() {
        // given
        run(10, 50);

        // when then
        assertThat(run(100, 150)).isEqualTo(StreamCount.Path.FULL);
        assertThat(run(200, 150)).isEqualTo(StreamCount.Path.CLEAR);
        assertThat(run(10, 250)).isEqualTo(StreamCount.Path.FULL);
    }
}
