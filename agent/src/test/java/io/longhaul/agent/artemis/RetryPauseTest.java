package io.longhaul.agent.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.LinkException.Code;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryPauseTest {
    private final RetryPause pause = new RetryPause();

    private List<Long> pauses(Code code, int times) {
        return pauses(new LinkException(code, "no"), times);
    }

    private List<Long> pauses(LinkException failure, int times) {
        return IntStream.range(0, times).mapToObj(i -> pause.next(failure)).toList();
    }

    @Test
    void shouldTryAgainSoonWhenTheBrokerIsAway() {
        assertThat(pauses(Code.UNREACHABLE, 4)).containsExactly(100L, 200L, 250L, 250L);
    }

    @Test
    void shouldWaitLongerAndLongerWhenTheLoginIsRefused() {
        assertThat(pauses(Code.UNAUTHENTICATED, 7))
                .containsExactly(1000L, 2000L, 4000L, 8000L, 16_000L, 30_000L, 30_000L);
    }

    @Test
    void shouldWaitLongerAndLongerWhenTheBrokerHasTooManyLogins() {
        assertThat(pauses(new BusyBroker("later", new Exception()), 3)).containsExactly(1000L, 2000L, 4000L);
    }

    @Test
    void shouldWaitLongerAndLongerWhenAProxyDoesNotTakeTheCredentials() {
        assertThat(pauses(new RefusingProxy("407", new Exception()), 3)).containsExactly(1000L, 2000L, 4000L);
    }

    @Test
    void shouldTryAgainSoonWhenTheBrokerThatRefusedIsAway() {
        // given
        pauses(Code.UNAUTHENTICATED, 7);

        // when, then
        assertThat(pauses(Code.UNREACHABLE, 2)).containsExactly(250L, 250L);
        assertThat(pauses(Code.UNAUTHENTICATED, 1)).containsExactly(1000L);
    }
}
