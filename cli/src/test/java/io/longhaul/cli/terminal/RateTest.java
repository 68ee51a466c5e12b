package io.longhaul.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class RateTest {
    private static final long SECOND = 1_000_000_000L;

    private final Rate rate = new Rate();

    @Test
    void shouldBeUnknownWhenThereIsOneSample() {
        // when
        rate.sample(0, 5_000_000);

        // then
        assertThat(rate.perSecond()).isZero();
    }

    @Test
    void shouldNotCountWhatWasThereBeforeWhenTransferGoesOn() {
        // when
        rate.sample(0, 5_000_000);
        rate.sample(SECOND, 5_000_100);

        // then
        assertThat(rate.perSecond()).isCloseTo(100, within(0.001));
    }

    @Test
    void shouldFollowWhenSpeedChanges() {
        // given
        long bytes = 0;
        for (int second = 0; second < 30; second++) {
            rate.sample(second * SECOND, bytes);
            bytes += second < 10 ? 1_000 : 10;
        }

        // then
        assertThat(rate.perSecond()).isBetween(10.0, 20.0);
    }

    @Test
    void shouldStartAfreshWhenCounterGoesBack() {
        // given
        rate.sample(0, 0);
        rate.sample(SECOND, 1_000);

        // when
        rate.sample(2 * SECOND, 500);

        // then
        assertThat(rate.perSecond()).isZero();
    }
}
