package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When fewer streams are tried before more. */
final class FewerStreamsTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private final StreamCount count = StreamCount.auto(16);
    private long nowNs = 17;
    private StreamCount.Path path = StreamCount.Path.CLEAR;
    private long roundTripNs;
    private boolean limited = true;

    /** Lets seconds pass on a network that carries so many bytes a second with n streams; returns the greatest target. */
    private int run(int seconds, IntToDoubleFunction rate) {
        int greatest = count.target();
        for (int i = 0; i < seconds; i++) {
            nowNs += SECOND_NS;
            long bytes = (long) rate.applyAsDouble(count.target());
            count.observe(new StreamCount.Interval(bytes, SECOND_NS, nowNs, limited, path, roundTripNs));
            greatest = Math.max(greatest, count.target());
        }
        return greatest;
    }

    @ParameterizedTest
    @EnumSource(names = {"CLEAR", "FULL"})
    void shouldGoToOneStreamWhenThatCarriesAsMuchWithLittleUnderWay(StreamCount.Path what) {
        // given
        path = what;
        roundTripNs = TimeUnit.MILLISECONDS.toNanos(20);

        // when
        int greatest = run(8, n -> 12.5e6);

        // then
        assertThat(greatest).isEqualTo(4);
        assertThat(count.target()).isEqualTo(1);
        assertThat(run(1000, n -> 12.5e6)).isLessThanOrEqualTo(2);
    }

    @Test
    void shouldLeaveEachStreamNoMoreUnderWayThanItHasWithEase() {
        // given
        path = StreamCount.Path.FULL;
        roundTripNs = TimeUnit.MILLISECONDS.toNanos(60);

        // when
        run(8, n -> 12.5e6);

        // then
        assertThat(count.target()).isEqualTo(2);
    }

    @Test
    void shouldKeepItsStreamsWhenTheyHaveMuchUnderWay() {
        // given
        path = StreamCount.Path.FULL;
        roundTripNs = TimeUnit.MILLISECONDS.toNanos(100);

        // when
        run(20, n -> 125e6);

        // then
        assertThat(count.target()).isEqualTo(4);
    }

    @Test
    void shouldClimbAtOnceWhenFewerStreamsCarryLess() {
        // given
        roundTripNs = TimeUnit.MILLISECONDS.toNanos(1);

        // when
        run(16, n -> n * 1e6);

        // then
        assertThat(count.target()).isEqualTo(16);
    }

    @Test
    void shouldGoBackToAllWhenFewerStreamsCarryLessOfAFullPath() {
        // given
        path = StreamCount.Path.FULL;
        roundTripNs = TimeUnit.MILLISECONDS.toNanos(1);

        // when
        int greatest = run(60, n -> 10e6 * n / (n + 1)); // beside another's stream

        // then
        assertThat(greatest).isEqualTo(4);
        assertThat(count.target()).isEqualTo(4);
    }

    /** Loss that comes later takes more of one stream than of several. */
    @Test
    void shouldClimbFromOneStreamWhenLossTakesItsRate() {
        // given
        roundTripNs = TimeUnit.MILLISECONDS.toNanos(20);
        run(8, n -> 12.5e6);
        int quiet = count.target();

        // when
        path = StreamCount.Path.LOSSY;
        run(6, n -> Math.min(n * 1e6, 12.5e6));

        // then
        assertThat(quiet).isEqualTo(1);
        assertThat(count.target()).isEqualTo(16);
    }

    @Test
    void shouldGoToOneStreamWhenTheApplicationGivesNoMore() {
        // given
        roundTripNs = TimeUnit.MILLISECONDS.toNanos(20);
        limited = false;

        // when
        run(8, n -> 10e6);

        // then
        assertThat(count.target()).isEqualTo(1);
    }

    @Test
    void shouldKeepItsStreamsWhenTheApplicationGivesNextToNothing() {
        // given
        roundTripNs = TimeUnit.MILLISECONDS.toNanos(20);
        limited = false;

        // when
        run(8, n -> 10e3);

        // then
        assertThat(count.target()).isEqualTo(4);
        assertThat(count.isMeasured()).isFalse();
    }

    @Test
    void shouldHaveAllBackSoonWhenOneStreamHasMuchUnderWay() {
        // given: an application that gives little
        roundTripNs = TimeUnit.MILLISECONDS.toNanos(100);
        limited = false;
        run(8, n -> 2e6);
        int little = count.target();

        // when
        limited = true;
        run(2, n -> 20e6);

        // then
        assertThat(little).isEqualTo(1);
        assertThat(count.target()).isEqualTo(4);
    }

    @Test
    void shouldNotClimbWhileTheApplicationIsTheLimit() {
        // given
        roundTripNs = TimeUnit.MILLISECONDS.toNanos(100);
        limited = false;

        // when
        int greatest = run(20, n -> 30e6);

        // then
        assertThat(greatest).isEqualTo(4);
    }

    @Test
    void shouldClimbSoonWhenEachStreamIsBoundedAndTheApplicationGivesMore() {
        // given
        roundTripNs = TimeUnit.MILLISECONDS.toNanos(20);
        limited = false;
        run(8, n -> 1.2e6);

        // when
        limited = true;
        run(8, n -> n * 2e6);

        // then
        assertThat(count.target()).isGreaterThanOrEqualTo(4);
    }

    @Test
    void shouldNotGoBackToFourWhenOneOfManyLosesAPacket() {
        // given
        roundTripNs = TimeUnit.MILLISECONDS.toNanos(20);
        limited = false;
        run(8, n -> 1.2e6);
        limited = true;
        run(20, n -> n * 2e6);
        int many = count.target();

        // when
        path = StreamCount.Path.LOSSY;
        run(3, n -> n * 2e6);

        // then
        assertThat(many).isEqualTo(16);
        assertThat(count.target()).isEqualTo(16);
    }

    @Test
    void shouldGoBackToOneWhenASecondOnlyFillsThePath() {
        // given: what more streams bring is tried as soon as the network is the limit
        roundTripNs = TimeUnit.MILLISECONDS.toNanos(20);
        limited = false;
        run(8, n -> 10e6);
        limited = true;
        run(2, n -> 12e6);
        int tried = count.target();

        // when
        path = StreamCount.Path.FULL;
        run(4, n -> 12.5e6);

        // then
        assertThat(tried).isEqualTo(2);
        assertThat(count.target()).isEqualTo(1);
    }

    @Test
    void shouldTryFewerAgainWhenThatFailedOnAFullPath() {
        // given
        roundTripNs = TimeUnit.MILLISECONDS.toNanos(20);
        path = StreamCount.Path.FULL;
        run(10, n -> n == 4 ? 10e6 : 9e6);
        int failed = count.target();

        // when
        run(300, n -> 10e6);

        // then
        assertThat(failed).isEqualTo(4);
        assertThat(count.target()).isEqualTo(1);
    }

    /** Processors that others use, too, make rates noisy. */
    @Test
    void shouldGoToOneStreamWhenOneIntervalOfSeveralCarriesAsMuch() {
        // given
        roundTripNs = TimeUnit.MILLISECONDS.toNanos(1);
        double[] noisy = {10e6, 7e6, 8e6};
        int[] next = {0};

        // when
        int greatest = run(20, n -> noisy[next[0]++ % noisy.length]);

        // then
        assertThat(greatest).isEqualTo(4);
        assertThat(count.target()).isEqualTo(1);
    }

    @Test
    void shouldMeanNothingUntilItSentAsMuchAsTheNetworkTakes() {
        // given
        boolean before = count.isMeasured();

        // when
        run(1, n -> 1e6);

        // then
        assertThat(before).isFalse();
        assertThat(count.isMeasured()).isTrue();
    }
}
