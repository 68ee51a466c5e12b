package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.cli.state.Footprint;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class AgentSessionTest {
    @TempDir
    private Path home;

    @Test
    void shouldNotWaitUntilASubscriptionIsKnownWhenItIsToStop() {
        // given
        CountDownLatch never = new CountDownLatch(1);
        StubAgent agent = new StubAgent();
        try (TestEnvironment world = new TestEnvironment(home)) {
            agent.onSubscribe(() -> {
                world.stop().request();
                await(never);
            });
            AgentSession session =
                    new AgentSession(agent, Footprint.of(home.resolve("data")), world.environment(), () -> {});
            SubscribeRequest request = SubscribeRequest.of("climate", "s", home.resolve("in"));

            // when
            AgentException failure =
                    catchThrowableOfType(AgentException.class, () -> session.subscribe(request, delivered -> {}));

            // then
            assertThat(failure.code()).isEqualTo(AgentException.Code.INTERRUPTED);
            assertThat(failure).hasMessage("stopped while subscribing to climate; the same command goes on");
        } finally {
            never.countDown();
        }
    }

    @Test
    void shouldNotWaitLongerThanItMayUntilASubscriptionIsKnown() {
        // given
        CountDownLatch never = new CountDownLatch(1);
        StubAgent agent = new StubAgent();
        agent.onSubscribe(() -> await(never));
        try (TestEnvironment world = new TestEnvironment(home)) {
            AgentSession session =
                    new AgentSession(agent, Footprint.of(home.resolve("data")), world.environment(), () -> {});
            SubscribeRequest request = SubscribeRequest.of("climate", "s", home.resolve("in"));

            // when
            AgentException failure =
                    catchThrowableOfType(AgentException.class, () -> session.subscribe(request, delivered -> {}, 1));

            // then
            assertThat(failure.code()).isEqualTo(AgentException.Code.INTERRUPTED);
            assertThat(failure).hasMessage("timed out while subscribing to climate; the same command goes on");
        } finally {
            never.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
