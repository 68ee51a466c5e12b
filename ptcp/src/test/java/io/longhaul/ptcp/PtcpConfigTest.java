package io.longhaul.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PtcpConfigTest {
    private final PtcpConfig defaults = PtcpConfig.defaults();

    @Test
    void shouldHaveTheDocumentedDefaultsWhenNothingIsSet() {
        assertThat(defaults)
                .isEqualTo(new PtcpConfig(
                        PtcpConfig.AUTO,
                        32,
                        524_288,
                        134_217_728,
                        0,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(5)));
    }

    @Test
    void shouldNameValueAndRangeWhenOneIsOutOfRange() {
        assertThatThrownBy(() -> defaults.withStreams(-1)).hasMessage("streams: expected 0..32, found -1");
        assertThatThrownBy(() -> defaults.withStreams(65)).hasMessage("maxStreams: expected 1..64, found 65");
        assertThatThrownBy(() -> defaults.withMaxStreams(0)).hasMessage("maxStreams: expected 1..64, found 0");
        assertThatThrownBy(() -> defaults.withSizes(1023, 1 << 20))
                .hasMessage("packetBytes: expected 1024..1048576, found 1023");
        assertThatThrownBy(() -> defaults.withSizes(262_145, 262_144))
                .hasMessage("packetBytes: expected 1024..262144, found 262145");
        assertThatThrownBy(() -> defaults.withSizes(1024, 262_143))
                .hasMessage("windowBytes: expected 262144..1073741824, found 262143");
        assertThatThrownBy(() -> defaults.withSocketBuffer(-1))
                .hasMessage("socketBufferBytes: expected 0..1073741824, found -1");
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> defaults.withLimits(Duration.ZERO, second, second, second))
                .hasMessage("connectTimeout in ms: expected 1..600000, found 0");
        assertThatThrownBy(() -> defaults.withLimits(second, second, second, Duration.ofHours(1)))
                .hasMessage("keepAlive in ms: expected 1..600000, found 3600000");
    }

    @Test
    void shouldRaiseTheBoundWhenMoreStreamsAreFixed() {
        assertThat(defaults.withStreams(32).maxStreams()).isEqualTo(32);
        assertThat(defaults.withStreams(8).withMaxStreams(4).streams()).isEqualTo(4);
    }
}
