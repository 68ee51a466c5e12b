package io.longhaul.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class NetworkViewTest {
    private final AtomicLong nanos = new AtomicLong();
    private final NetworkView view =
            new NetworkView("127.0.0.1:1", "", "", Duration.ZERO, () -> nanos.addAndGet(1_000_000_000));

    @Test
    void shouldRefuseANameThatNoBrokerHasBeforeAnybodyIsAsked() {
        // when, then
        assertThatThrownBy(() -> view.remove("a/b", false))
                .isInstanceOfSatisfying(
                        AgentException.class, e -> assertThat(e.code()).isEqualTo(AgentException.Code.USAGE))
                .hasMessageContaining("broker name: expected")
                .hasMessageContaining("a/b");
    }
}
