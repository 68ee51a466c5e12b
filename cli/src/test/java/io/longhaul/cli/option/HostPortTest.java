package io.longhaul.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HostPortTest {

    @ParameterizedTest
    @CsvSource({"127.0.0.1:7400,127.0.0.1,7400", "broker.example.org:0,broker.example.org,0", "[::1]:65535,::1,65535"})
    void shouldReadHostAndPortWhenBothAreThere(String text, String host, int port) {
        // when
        HostPort place = HostPort.parse(text);

        // then
        assertThat(place).isEqualTo(new HostPort(host, port));
        assertThat(place).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "7400", ":7400", "host:", "host:65536", "host:-1", "::1:7400", "host:7400x"})
    void shouldNameExpectedFormWhenAddressIsMalformed(String text) {
        // then
        assertThatThrownBy(() -> HostPort.parse(text)).hasMessageContaining("expected HOST:PORT");
    }

    @Test
    void shouldPutBracketsBackWhenHostIsIpv6() {
        // then
        assertThat(new HostPort("::", 1)).hasToString("[::]:1");
    }
}
