package io.longhaul.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.broker.BrokerException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsConfigTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "::1"})
    void shouldTakeLoopbackAddresses(String host) {
        // then
        assertThat(MetricsConfig.of(host, 9464).address().getPort()).isEqualTo(9464);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1"})
    void shouldRefuseAddressBeyondLoopbackUnlessToldSo(String host) {
        // when then
        assertThatThrownBy(() -> MetricsConfig.of(host, 9464).address())
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.code()).isEqualTo(BrokerException.Code.BAD_CONFIG))
                .hasMessageContaining("--metrics-anywhere");
        assertThat(new MetricsConfig(host, 9464, true).address().getPort()).isEqualTo(9464);
    }

    @Test
    void shouldSayThatItCannotListenWhenTheNameHasNoAddress() {
        // given
        String none = "x".repeat(64) + ".invalid"; // longer than a label may be: no name server is asked

        // when then
        assertThatThrownBy(() -> MetricsConfig.of(none, 9464).address())
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.code()).isEqualTo(BrokerException.Code.CANNOT_LISTEN))
                .hasMessage("metrics " + none + ":9464: unknown host " + none);
    }

    @Test
    void shouldWriteAddressAsItIsGiven() {
        // then
        assertThat(MetricsConfig.of("::1", 1)).hasToString("[::1]:1");
        assertThat(MetricsConfig.of("localhost", 1)).hasToString("localhost:1");
    }
}
