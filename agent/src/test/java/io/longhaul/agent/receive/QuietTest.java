package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How often a quiet subscription asks its broker. */
final class QuietTest {
    private static final long START_NS = -5;

    @Test
    void shouldAskEverLessOftenWhileNothingComes() {
        // given
        Quiet quiet = new Quiet(START_NS);
        long now = START_NS;

        // when
        int asked = 0;
        for (long end = now + Duration.ofMinutes(10).toNanos(); now < end; asked++) {
            now += quiet.patience(now).toNanos();
        }

        // then
        assertThat(asked).isLessThan(180);
        assertThat(quiet.patience(now)).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void shouldAskSoonAgainWhenSomethingCame() {
        // given
        Quiet quiet = new Quiet(START_NS);
        long later = START_NS + Duration.ofHours(1).toNanos();

        // when
        quiet.disturbed(later);

        // then
        assertThat(quiet.patience(later)).isEqualTo(Duration.ofMillis(500));
        assertThat(quiet.patience(later + Duration.ofSeconds(8).toNanos())).isEqualTo(Duration.ofSeconds(1));
    }
}
