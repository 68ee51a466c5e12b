package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StreamCountTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private long nowNs = 17;
    private StreamCount.Path path = StreamCount.Path.CLEAR;

    /** Lets seconds pass on a network that carries so many bytes a second with n streams; returns the greatest target. */
    private int run(StreamCount count, int seconds, IntToDoubleFunction rate) {
        int greatest = count.target();
        for (int i = 0; i < seconds; i++) {
            nowNs += SECOND_NS;
            long bytes = (long) rate.applyAsDouble(count.target());
            count.observe(new StreamCount.Interval(bytes, SECOND_NS, nowNs, true, path, 0));
            greatest = Math.max(greatest, count.target());
        }
        return greatest;
    }

    @Test
    void shouldGrowToTheMostWhenEveryStreamHelps() {
        // given
        StreamCount count = StreamCount.auto(16);

        // when
        run(count, 12, n -> n * 1e6);

        // then
        assertThat(count.target()).isEqualTo(16);
    }

    @Test
    void shouldGoBackWhenMoreStreamsBringNothing() {
        // given
        StreamCount count = StreamCount.auto(64);

        // when
        int greatest = run(count, 13, n -> Math.min(n, 8) * 1e6);

        // then
        assertThat(greatest).isEqualTo(16);
        assertThat(count.target()).isEqualTo(8);
    }

    @Test
    void shouldShrinkWhenFewerStreamsBringAsMuch() {
        // given
        StreamCount count = StreamCount.auto(16);
        run(count, 12, n -> n * 1e6);

        // when
        run(count, 60, n -> 4e6);

        // then
        assertThat(count.target()).isLessThan(16);
    }

    @Test
    void shouldClimbWhenLossMakesTheFirstRatesFall() {
        // given
        StreamCount count = StreamCount.auto(16);
        path = StreamCount.Path.LOSSY;
        double[] start = {40};

        // when
        run(count, 6, n -> {
            start[0] = Math.max(1, start[0] * 0.3);
            return n * start[0] * 1e6;
        });

        // then
        assertThat(count.target()).isEqualTo(16);
    }

    @Test
    void shouldGoBeyondTheBlindClimbWhenEveryStreamHelps() {
        // given
        StreamCount count = StreamCount.auto(32);
        path = StreamCount.Path.LOSSY;

        // when
        run(count, 12, n -> n * 1e6);

        // then
        assertThat(count.target()).isEqualTo(32);
    }

    @Test
    void shouldGoBackToTheBlindClimbWhenMoreStreamsBringNothing() {
        // given
        StreamCount count = StreamCount.auto(32);
        path = StreamCount.Path.LOSSY;

        // when
        int greatest = run(count, 15, n -> Math.min(n, 16) * 1e6);

        // then
        assertThat(greatest).isEqualTo(32);
        assertThat(count.target()).isEqualTo(16);
    }

    @Test
    void shouldEndTheBlindClimbAtSixteenWhileTheRateFalls() {
        // given
        StreamCount count = StreamCount.auto(64);
        path = StreamCount.Path.LOSSY;
        double[] falling = {100e6};

        // when
        int greatest = run(count, 7, n -> falling[0] *= 0.99);

        // then
        assertThat(greatest).isEqualTo(16);
    }

    @Test
    void shouldTryMoreWhenLossBeginsToLimitAFullLink() {
        // given
        StreamCount count = StreamCount.auto(16);
        run(count, 10, n -> 100e6);
        int quiet = count.target();

        // when
        path = StreamCount.Path.LOSSY;
        run(count, 10, n -> n * 5e6);

        // then
        assertThat(quiet).isEqualTo(4);
        assertThat(count.target()).isEqualTo(16);
    }

    @Test
    void shouldNotTryMoreWhenThePathIsFull() {
        // given
        StreamCount count = StreamCount.auto(16);
        path = StreamCount.Path.FULL;

        // when
        int greatest = run(count, 20, n -> n * 1e6);

        // then
        assertThat(greatest).isEqualTo(4);
    }

    @Test
    void shouldNotTryMoreWhileTheRateGrowsByItself() {
        // given
        StreamCount count = StreamCount.auto(16);
        double[] growing = {1};

        // when
        int greatest = run(count, 6, n -> {
            growing[0] *= 1.5;
            return growing[0] * 1e6;
        });

        // then
        assertThat(greatest).isEqualTo(4);
    }

    @Test
    void shouldReturnToFewWhenLossCameFromFillingTheLink() {
        // given
        StreamCount count = StreamCount.auto(16);
        path = StreamCount.Path.LOSSY;

        // when
        int greatest = run(count, 100, n -> n == 1 ? 0.8e6 : 1e6);

        // then
        assertThat(greatest).isEqualTo(16);
        assertThat(count.target()).isEqualTo(2);
    }

    /** Every halving costs a little, all of them together a lot. */
    @Test
    void shouldNotGoDownStepByStepWhenEachOneCostsALittle() {
        // given
        StreamCount count = StreamCount.auto(16);
        run(count, 12, n -> n * 1e6);
        assertThat(count.target()).isEqualTo(16);

        // when
        run(count, 2000, n -> 16e6 * (1 + 0.04 * Math.log(n / 16.0) / Math.log(2)));

        // then
        assertThat(count.target()).isGreaterThanOrEqualTo(8);
    }

    /** A try with more was in vain, but a little faster, and one with fewer slower; the rate falls by less than a fifth. */
    @Test
    void shouldNotClimbWhenTheRateFellALittleFromItsOwn() {
        // given
        StreamCount count = StreamCount.auto(16);
        run(count, 80, n -> n == 8 ? 109e6 : n == 4 ? 100e6 : 60e6);
        assertThat(count.target()).isEqualTo(4);

        // when
        path = StreamCount.Path.LOSSY;
        int greatest = run(count, 10, n -> 86e6);

        // then
        assertThat(greatest).isEqualTo(4);
    }

    @Test
    void shouldTryMoreWhenAPathThatWasFullIsSoNoLonger() {
        // given
        StreamCount count = StreamCount.auto(16);
        path = StreamCount.Path.FULL;
        run(count, 5, n -> 190e6);
        int whileFull = count.target();

        // when
        path = StreamCount.Path.LOSSY;
        run(count, 3, n -> n * 42e6);
        path = StreamCount.Path.FULL;
        run(count, 20, n -> 190e6);

        // then
        assertThat(whileFull).isEqualTo(4);
        assertThat(count.target()).isEqualTo(8);
    }

    @Test
    void shouldTryMoreOnlyOnceWhenThatDoesNotFillThePathAgain() {
        // given
        StreamCount count = StreamCount.auto(16);
        path = StreamCount.Path.FULL;
        run(count, 5, n -> 190e6);

        // when
        path = StreamCount.Path.CLEAR;
        int greatest = run(count, 25, n -> 170e6);

        // then
        assertThat(greatest).isEqualTo(8);
        assertThat(count.target()).isEqualTo(4);
    }

    /** A transfer's first packets fill the path; then loss takes each stream's rate, and those that come later begin small. */
    @Test
    void shouldClimbWhileTheRateFallsWhenALossyPathIsFullNoMore() {
        // given
        StreamCount count = StreamCount.auto(16);
        path = StreamCount.Path.FULL;
        run(count, 3, n -> 100e6);

        // when
        path = StreamCount.Path.LOSSY;
        double[] falling = {100e6};
        run(count, 6, n -> {
            falling[0] *= 0.95;
            return falling[0];
        });

        // then
        assertThat(count.target()).isEqualTo(16);
    }

    @Test
    void shouldClimbOnlyOnceWhenALossyPathCarriesLessThanWhileItWasFull() {
        // given
        StreamCount count = StreamCount.auto(16);
        path = StreamCount.Path.FULL;
        run(count, 5, n -> 190e6);
        path = StreamCount.Path.LOSSY;
        int greatest = run(count, 10, n -> 170e6);
        run(count, 60, n -> 170e6);

        // when
        int after = run(count, 100, n -> 170e6);

        // then
        assertThat(greatest).isEqualTo(16);
        assertThat(after).isLessThanOrEqualTo(4);
    }

    /** The queue of its start stands, and drains: nothing is lost by that. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldTryNoMoreWhenAPathCarriesAsMuchAsWhileItWasFull(int seconds) {
        // given
        StreamCount count = StreamCount.auto(16);
        run(count, 1, n -> 20e6);
        path = StreamCount.Path.FULL;
        run(count, seconds, n -> 190e6);

        // when
        path = StreamCount.Path.CLEAR;
        int greatest = run(count, 20, n -> 190e6);

        // then
        assertThat(greatest).isEqualTo(4);
    }

    @Test
    void shouldNeverMoveWhenItIsFixed() {
        // given
        StreamCount count = StreamCount.fixed(3);

        // when
        int greatest = run(count, 100, n -> n * 1e6);

        // then
        assertThat(greatest).isEqualTo(3);
        assertThat(count.target()).isEqualTo(3);
    }

    @Test
    void shouldStayWhenOnlyOneIsAllowed() {
        // given
        StreamCount count = StreamCount.auto(1);

        // when
        run(count, 10, n -> n * 1e6);

        // then
        assertThat(count.target()).isEqualTo(1);
    }

    @Test
    void shouldIgnoreTheNextIntervalWhenTheApplicationWasIdle() {
        // given
        StreamCount count = StreamCount.auto(16);
        count.observe(new StreamCount.Interval(1000, SECOND_NS, nowNs, false, path, 0));

        // when
        run(count, 1, n -> n * 1e6);

        // then
        assertThat(count.target()).isEqualTo(4);
    }
}
