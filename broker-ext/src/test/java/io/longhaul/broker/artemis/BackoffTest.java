package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.artemis.Backoff.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

final class BackoffTest {
    /** Always gives the greatest number that it may. */
    private static final RandomGenerator LONGEST = new RandomGenerator() {
        @Override
        public long nextLong() {
            return 0;
        }

        @Override
        public long nextLong(long bound) {
            return bound - 1;
        }
    };

    private static List<Long> pauses(Backoff backoff, Outcome outcome, int times) {
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            pauses.add(backoff.next(outcome));
        }
        return pauses;
    }

    @Test
    void shouldWaitAtMostASecondForWhoIsAway() {
        assertThat(pauses(new Backoff(1, LONGEST), Outcome.AWAY, 6))
                .containsExactly(100L, 200L, 400L, 800L, 1000L, 1000L);
    }

    @Test
    void shouldWaitLongerAndLongerForWhoRefuses() {
        assertThat(pauses(new Backoff(1, LONGEST), Outcome.REFUSED, 7))
                .containsExactly(1000L, 2000L, 4000L, 8000L, 16_000L, 30_000L, 30_000L);
    }

    @Test
    void shouldAskABusyOneAgainAFewSecondsLater() {
        assertThat(pauses(new Backoff(1, LONGEST), Outcome.BUSY, 6))
                .containsExactly(500L, 1000L, 2000L, 4000L, 4000L, 4000L);
    }

    @Test
    void shouldAskABusyOneOfAPairAgainSoonThoughTheOtherIsAway() {
        // given
        Backoff backoff = new Backoff(2, LONGEST);
        pauses(backoff, Outcome.BUSY, 9);

        // when, then
        assertThat(backoff.next(Outcome.AWAY)).isEqualTo(4000);
        assertThat(pauses(backoff, Outcome.AWAY, 2)).containsExactly(1000L, 1000L);
    }

    @Test
    void shouldBeQuickerWhenWhoRefusedIsBusy() {
        // given
        Backoff backoff = new Backoff(1, LONGEST);
        pauses(backoff, Outcome.REFUSED, 9);

        // when, then
        assertThat(backoff.next(Outcome.BUSY)).isEqualTo(4000);
    }

    @Test
    void shouldBeQuickAgainWhenWhoRefusedIsAway() {
        // given
        Backoff backoff = new Backoff(1, LONGEST);
        pauses(backoff, Outcome.REFUSED, 9);

        // when, then
        assertThat(backoff.next(Outcome.AWAY)).isEqualTo(1000);
    }

    @Test
    void shouldStaySlowWhenOneOfAPairRefusesAndTheOtherIsAway() {
        // given
        Backoff backoff = new Backoff(2, LONGEST);
        pauses(backoff, Outcome.REFUSED, 9);

        // when, then
        assertThat(backoff.next(Outcome.AWAY)).isEqualTo(30_000);
        assertThat(backoff.next(Outcome.REFUSED)).isEqualTo(30_000);
        assertThat(pauses(backoff, Outcome.AWAY, 2)).containsExactly(30_000L, 1000L);
    }

    @Test
    void shouldBeginAnewWhenATryWasGood() {
        // given
        Backoff backoff = new Backoff(1, LONGEST);
        pauses(backoff, Outcome.REFUSED, 9);

        // when
        backoff.succeeded(true);

        // then
        assertThat(backoff.next(Outcome.AWAY)).isEqualTo(100);
    }

    @Test
    void shouldWaitAtMostASecondOnceATryAtAPairThatRefusedWasGoodForAMoment() {
        // given
        Backoff backoff = new Backoff(2, LONGEST);
        pauses(backoff, Outcome.REFUSED, 9);

        // when
        backoff.succeeded(false);

        // then
        assertThat(pauses(backoff, Outcome.AWAY, 3)).containsExactly(1000L, 1000L, 1000L);
    }

    @Test
    void shouldNotWaitTheSameForAll() {
        // given
        Backoff one = new Backoff(1, new Random(1));
        Backoff other = new Backoff(1, new Random(2));

        // when
        List<Long> pauses = pauses(one, Outcome.REFUSED, 9);

        // then
        assertThat(pauses)
                .isNotEqualTo(pauses(other, Outcome.REFUSED, 9))
                .allMatch(pause -> pause >= 500 && pause <= 30_000);
    }
}
