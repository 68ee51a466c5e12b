package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CommitsTest {
    /** An exception would count as the fault of the transfer that was committed, and refuse it for good. */
    @Test
    void shouldThrowTheErrorThatTheLedgerFailedWith() {
        // given
        Error failure = new OutOfMemoryError("Java heap space");

        // when / then
        assertThatThrownBy(() -> Commits.await(CompletableFuture.failedFuture(failure)))
                .isSameAs(failure);
    }
}
