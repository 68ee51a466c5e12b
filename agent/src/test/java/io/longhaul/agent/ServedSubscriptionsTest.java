package io.longhaul.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ServedSubscriptionsTest {
    private final ServedSubscriptions<Subscription> served = new ServedSubscriptions<>();

    private record Known(String topic, String name, CompletableFuture<Void> closed) implements Subscription {
        Known(String topic, String name) {
            this(topic, name, new CompletableFuture<>());
        }

        @Override
        public boolean hasCaughtUp() {
            return true;
        }

        @Override
        public List<Progress> progress() {
            return List.of();
        }

        @Override
        public void close() {
            closed.complete(null);
        }
    }

    @Test
    void shouldRefuseWhenTopicAndNameAreServedAlready() {
        // given
        served.add(new Known("t", "n"), () -> {});

        // then
        assertThatThrownBy(() -> served.add(new Known("t", "n"), () -> {}))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("subscription n of topic t")
                .extracting(e -> ((AgentException) e).code())
                .isEqualTo(AgentException.Code.REFUSED);
        assertThat(served.all()).hasSize(1);
    }

    @Test
    void shouldTakeBothWhenTopicOrNameDiffers() {
        // when
        served.add(new Known("t", "n"), () -> {});
        served.add(new Known("t", "m"), () -> {});
        served.add(new Known("u", "n"), () -> {});

        // then
        assertThat(served.all()).hasSize(3);
    }

    @Test
    void shouldTakeItAgainWhenTheFirstHasEnded() {
        // given
        Known first = new Known("t", "n");
        served.add(first, () -> {});

        // when
        first.close();
        served.add(new Known("t", "n"), () -> {});
        served.remove(first);

        // then
        assertThat(served.all()).hasSize(1);
    }

    @Test
    void shouldTakeNoMoreWhenItHasEnded() {
        // given
        Known first = new Known("t", "n");
        served.add(first, () -> {});

        // when
        assertThat(served.end()).containsExactly(first);

        // then
        assertThatThrownBy(() -> served.add(new Known("t", "m"), () -> {}))
                .isInstanceOf(AgentException.class)
                .extracting(e -> ((AgentException) e).code())
                .isEqualTo(AgentException.Code.INTERRUPTED);
        assertThat(served.all()).containsExactly(first);
    }
}
