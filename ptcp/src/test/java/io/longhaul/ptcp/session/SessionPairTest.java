package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class SessionPairTest {
    private static final long FEW_SEEDS = 20;
    private static final long SEEDS = 100;
    private static final long MANY_SEEDS = 1000;

    @Test
    void shouldBringEveryByteOnceAndEndInOrderWhateverDies() {
        run(0, SEEDS, SessionPair::run);
    }

    @Test
    void shouldEndInOrderWhenTheReaderTakesTheRestAfterTheOtherEndHasGone() {
        run(0, SEEDS, SessionPair::runWithLateReader);
    }

    @Test
    void shouldGoOnWhenTheReaderRestedForLong() {
        run(0, FEW_SEEDS, SessionPair::runWithRestingReader);
    }

    @Test
    @Tag("slow")
    void shouldBringEveryByteOnceAndEndInOrderWhateverDiesOften() {
        run(SEEDS, MANY_SEEDS, SessionPair::run);
    }

    @Test
    @Tag("slow")
    void shouldEndInOrderWhenTheReaderOftenTakesTheRestAfterTheOtherEndHasGone() {
        run(SEEDS, MANY_SEEDS, SessionPair::runWithLateReader);
    }

    private static void run(long from, long to, Consumer<SessionPair> life) {
        for (long seed = from; seed < to; seed++) {
            // given
            SessionPair pair = new SessionPair(seed);

            // when
            life.accept(pair);

            // then
            assertThat(pair.isSound()).as("seed %d: %s", seed, pair.story()).isTrue();
        }
    }
}
