package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SessionPairTest {
    private static final long SEEDS = 300;

    @Test
    void shouldBringEveryByteOnceAndEndInOrderWhateverDies() {
        for (long seed = 0; seed < SEEDS; seed++) {
            // given
            SessionPair pair = new SessionPair(seed);

            // when
            pair.run();

            // then
            assertThat(pair.isSound()).as("seed %d: %s", seed, pair.story()).isTrue();
        }
    }

    @Test
    void shouldEndInOrderWhenTheReaderTakesTheRestAfterTheOtherEndHasGone() {
        for (long seed = 0; seed < SEEDS; seed++) {
            // given
            SessionPair pair = new SessionPair(seed);

            // when
            pair.runWithLateReader();

            // then
            assertThat(pair.isSound()).as("seed %d: %s", seed, pair.story()).isTrue();
        }
    }
}
