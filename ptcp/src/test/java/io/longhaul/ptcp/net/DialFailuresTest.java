package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import org.junit.jupiter.api.Test;

final class DialFailuresTest {
    @Test
    void shouldSayThatTheNetworkCannotBeReachedWhenNettySaysNothing() {
        // when then
        assertThat(DialFailures.reason(new NoRouteToHostException("null: /192.0.2.1:7400")))
                .isEqualTo("Network is unreachable");
        assertThat(DialFailures.reason(new NoRouteToHostException())).isEqualTo("Network is unreachable");
    }

    @Test
    void shouldKeepTheWordsOfTheSystem() {
        // when then
        assertThat(DialFailures.reason(new NoRouteToHostException("No route to host")))
                .isEqualTo("No route to host");
        assertThat(DialFailures.reason(
                        new ConnectException("connect(..) failed with error(-111): Connection refused: /127.0.0.1:1")))
                .isEqualTo("Connection refused");
    }
}
