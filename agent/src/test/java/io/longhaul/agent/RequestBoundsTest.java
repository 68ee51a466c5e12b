package io.longhaul.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RequestBoundsTest {
    private static final AgentConfig CONFIG = AgentConfig.of("a", Path.of("data"), "127.0.0.1:7400");
    private static final SubscribeRequest REQUEST = SubscribeRequest.of("t", "s", Path.of("in"));

    @Test
    void shouldTakeForEverAsATimeout() {
        Duration timeout =
                CONFIG.withConnectTimeout(ChronoUnit.FOREVER.getDuration()).connectTimeout();

        assertThat(System.nanoTime() + timeout.toNanos()).isGreaterThan(System.nanoTime());
        assertThat(timeout).isGreaterThan(Duration.ofDays(365));
    }

    @Test
    void shouldRefuseNumbersOutOfBounds() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CONFIG.withFloor(-1))
                .withMessage("floorBytes: expected at least 0, found -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CONFIG.withWindow(0))
                .withMessage("windowBytes: expected at least 1, found 0");
        assertThatIllegalArgumentException().isThrownBy(() -> CONFIG.withSpoolQuota(-1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Retention.FOR_EVER.withMostBytes(-1))
                .withMessageContaining("mostBytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Retention.FOR_EVER.withLongest(Duration.ofSeconds(-1)))
                .withMessageContaining("longest");
    }

    @Test
    void shouldChangeTheWindowAlone() {
        AgentConfig changed = CONFIG.withWindow(5);

        assertThat(changed.windowBytes()).isEqualTo(5);
        assertThat(changed.withWindow(CONFIG.windowBytes())).isEqualTo(CONFIG);
    }

    @Test
    void shouldRefuseATargetForAnArchive() {
        SubscribeRequest archive = REQUEST.withArchive(Retention.FOR_EVER);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> archive.withTarget((path, name) -> CompletableFuture.completedFuture(null)))
                .withMessageContaining("archive");
    }
}
