package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class BackoffTest {
    private final Backoff backoff = new Backoff();
    private long nowNs = 17;

    /** Returns how long the pause is that begins with a failure now. */
    private long pauseMillis() {
        backoff.failed(nowNs);
        long startNs = nowNs;
        while (!backoff.isOver(nowNs)) {
            nowNs += Duration.ofMillis(1).toNanos();
        }
        return Duration.ofNanos(nowNs - startNs).toMillis();
    }

    @Test
    void shouldWaitLongerEachTimeWhenItKeepsFailing() {
        // then
        assertThat(backoff.isOver(nowNs)).isTrue();
        for (long expected : new long[] {50, 100, 200, 400, 800, 1600, 2000, 2000}) {
            assertThat(pauseMillis()).isEqualTo(expected);
        }
    }

    @Test
    void shouldCountFailuresOnceWhenTheyComeTogether() {
        // given
        for (int i = 0; i < 10; i++) {
            backoff.failed(nowNs);
        }

        // then
        nowNs += Duration.ofMillis(50).toNanos();
        assertThat(backoff.isOver(nowNs)).isTrue();
        assertThat(pauseMillis()).isEqualTo(100);
    }

    @Test
    void shouldBeginAnewWhenItWentWell() {
        // given
        pauseMillis();
        pauseMillis();
        backoff.failed(nowNs);

        // when
        backoff.succeeded();

        // then
        assertThat(backoff.isOver(nowNs)).isTrue();
        assertThat(pauseMillis()).isEqualTo(50);
    }
}
