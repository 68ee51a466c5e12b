package io.longhaul.agent.cancel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CancellationTest {
    private static final String ID = "0191f5c2a7e04b1d9c3e5a7b1d2f4c6e";

    @Test
    void shouldTakeItBackAndStayInterruptedWhenWhoAskedIsInterrupted() {
        // given
        CompletableFuture<Void> given = new CompletableFuture<>();
        Thread.currentThread().interrupt();

        // then
        try {
            assertThatThrownBy(() -> Cancellation.await(given, ID))
                    .isInstanceOfSatisfying(
                            AgentException.class,
                            failure -> assertThat(failure.code()).isEqualTo(AgentException.Code.INTERRUPTED))
                    .hasMessageContaining(ID);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(given).isCancelled();
    }

    @Test
    void shouldSayWhyItCannotBeDone() {
        // given
        AgentException refusal = new AgentException(AgentException.Code.REFUSED, "it is all here");

        // then
        assertThatThrownBy(() -> Cancellation.await(CompletableFuture.failedFuture(refusal), ID))
                .isSameAs(refusal);
    }
}
