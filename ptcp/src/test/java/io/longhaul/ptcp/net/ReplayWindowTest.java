package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ReplayWindowTest {
    private final ReplayWindow window = new ReplayWindow();

    @Test
    void shouldTakeEachNumberOnceWhenTheyComeInAnyOrder() {
        // given
        int[] numbers = {3, 1, 2, 1000, 500};

        // when then
        for (int number : numbers) {
            assertThat(window.take(number)).as("%s", number).isTrue();
        }
        for (int number : numbers) {
            assertThat(window.take(number)).as("%s again", number).isFalse();
        }
    }

    @Test
    void shouldRefuseWhenANumberIsNotPositive() {
        assertThat(window.take(0)).isFalse();
        assertThat(window.take(-1)).isFalse();
        assertThat(window.take(Integer.MIN_VALUE)).isFalse();
    }

    @Test
    void shouldRefuseWhenANumberIsFarBelowTheGreatest() {
        // given
        window.take(5000);

        // when then
        assertThat(window.take(5000 - 1024)).isFalse();
        assertThat(window.take(5000 - 1023)).isTrue();
    }

    @Test
    void shouldKnowTheOldOnesWhenTheWindowWraps() {
        // given
        for (int number = 1; number <= 3000; number++) {
            assertThat(window.take(number)).isTrue();
        }

        // when
        assertThat(window.take(3500)).isTrue();

        // then
        assertThat(window.take(3000)).isFalse();
        assertThat(window.take(3001)).isTrue();
        assertThat(window.take(Integer.MAX_VALUE)).isTrue();
        assertThat(window.take(Integer.MAX_VALUE)).isFalse();
        assertThat(window.take(3501)).isFalse();
    }
}
