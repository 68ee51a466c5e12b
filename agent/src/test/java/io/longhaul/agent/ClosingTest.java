package io.longhaul.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ClosingTest {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final AtomicInteger ends = new AtomicInteger();
    private final Closing closing = new Closing(this::shut);

    private void shut() {
        begun.countDown();
        try {
            mayEnd.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        ends.incrementAndGet();
    }

    @Test
    void shouldWaitUntilItIsClosedWhenSomebodyElseCloses() throws Exception {
        // given
        closing.close(true);
        begun.await();

        // when
        CompletableFuture<Integer> second = CompletableFuture.supplyAsync(() -> {
            closing.close(false);
            return ends.get();
        });

        // then
        assertThat(second).isNotDone();
        mayEnd.countDown();
        assertThat(second.get(10, TimeUnit.SECONDS)).isOne();
        closing.close(false);
        assertThat(ends).hasValue(1);
    }

    @Test
    void shouldTakeNothingMoreFromItsBeginningOn() throws InterruptedException {
        // given
        assertThatCode(closing::requireOpen).doesNotThrowAnyException();

        // when
        closing.close(true);
        begun.await();

        // then
        assertThatThrownBy(closing::requireOpen)
                .isInstanceOfSatisfying(
                        AgentException.class, e -> assertThat(e.code()).isEqualTo(AgentException.Code.INTERRUPTED))
                .hasMessage("the agent is closed");
        mayEnd.countDown();
    }

    @Test
    void shouldCloseAllTheSameAndStayInterruptedWhenItsCallerIsInterrupted() {
        // given
        mayEnd.countDown();
        Thread.currentThread().interrupt();

        // when
        closing.close(false);

        // then
        assertThat(ends).hasValue(1);
        assertThat(Thread.interrupted()).isTrue();
    }
}
