package io.longhaul.gridftp.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class AdvanceTest {
    private static final Duration STALL = Duration.ofSeconds(300);

    private long nowNs = -5;
    private final Advance advance = new Advance(STALL, () -> nowNs);

    private void pass(int seconds) {
        nowNs += Duration.ofSeconds(seconds).toNanos();
    }

    @Test
    void shouldTellWhatHasReachedItsPlaceWhenMoreHasCome() {
        advance.look(100, 10);
        assertThat(advance.reached()).isEqualTo(10);

        advance.told(40);
        advance.look(100, 10);
        assertThat(advance.reached()).isEqualTo(40);

        // a number that goes back is no news, one beyond what has come is not believed
        advance.told(30);
        advance.look(100, 10);
        assertThat(advance.reached()).isEqualTo(40);
        advance.told(1000);
        advance.look(100, 10);
        assertThat(advance.reached()).isEqualTo(100);
    }

    @Test
    void shouldFallSilentWhenNothingMovesAndSpeakAgainWhenSomethingDoes() {
        advance.look(100, 10);
        pass(300);
        assertThat(advance.isRecent()).isTrue();
        pass(1);
        assertThat(advance.isRecent()).isFalse();

        // the same number again says that a file is being checked
        advance.told(10);
        advance.look(100, 10);
        assertThat(advance.isRecent()).isTrue();

        pass(301);
        advance.look(100, 10);
        assertThat(advance.isRecent()).isFalse();
        advance.look(100, 11);
        assertThat(advance.isRecent()).isTrue();
    }
}
