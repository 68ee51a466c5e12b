package io.longhaul.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.longhaul.cli.doctor.Finding.State;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NetworkChecksIT {
    private static final String UNREACHABLE = "127.0.0.1:1";

    private static ServerSocket listening() throws IOException {
        return new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"));
    }

    @Test
    void shouldAskTheProxyWhenTheBrokerIsOnlyReachedThroughOne() throws IOException {
        // given
        try (ServerSocket proxy = listening()) {
            String place = "127.0.0.1:" + proxy.getLocalPort();

            // when
            Finding found = NetworkChecks.broker(UNREACHABLE + "?proxy=http://" + place);

            // then
            assertThat(found.state()).isEqualTo(State.OK);
            assertThat(found.check()).isEqualTo("proxy");
            assertThat(found.found()).isEqualTo(place + " takes connections");
        }
    }

    @Test
    void shouldNameTheProxyWhenItCannotBeReached() throws IOException {
        // given
        try (ServerSocket broker = listening()) {
            // when
            Finding found = NetworkChecks.broker("127.0.0.1:" + broker.getLocalPort() + "?proxy=http://" + UNREACHABLE);

            // then
            assertThat(found.state()).isEqualTo(State.FAILED);
            assertThat(found.found()).startsWith(UNREACHABLE + ": ");
            assertThat(found.advice()).contains("proxy");
        }
    }

    @Test
    void shouldBracketAddressesOfIpv6() {
        // when
        Finding broker = NetworkChecks.broker("[::1]:1");
        Finding port = NetworkChecks.listen("::1", 0);

        // then
        assertThat(broker.found()).startsWith("[::1]:1: ");
        assertThat(port.found()).startsWith("[::1]:0 ");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:1?proxy=socks://x:1, URL of a proxy: expected http://host:port",
        "127.0.0.1:1?tls=true&ca=/none.pem, TLS files ca=/none.pem",
        "127.0.0.1:1?steams=4, unknown parameter steams",
        "127.0.0.1, host or port is missing"
    })
    void shouldSayWhatIsWrongWithAUrl(String url, String expected) {
        // when
        Finding found = NetworkChecks.broker(url);

        // then
        assertThat(found.state()).isEqualTo(State.FAILED);
        assertThat(found.found()).contains(expected);
    }

    @Test
    void shouldTakeTheOneThatAnswersWhenSeveralStandInForEachOther() throws IOException {
        // given
        try (ServerSocket second = listening()) {
            String place = "127.0.0.1:" + second.getLocalPort();

            // then
            assertThat(NetworkChecks.broker(UNREACHABLE + "," + place).found()).isEqualTo(place + " takes connections");
        }
    }

    @Test
    void shouldTryAllAddressesOfAName() throws IOException {
        // given
        try (ServerSocket broker = listening()) {
            InetAddress[] addresses = {InetAddress.getByName("127.0.0.2"), InetAddress.getByName("127.0.0.1")};

            // then
            assertThatCode(() -> NetworkChecks.connect(addresses, broker.getLocalPort()))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void shouldFailWhenNobodyCouldListenThere() throws IOException {
        // given
        try (ServerSocket taken = listening()) {
            // when
            Finding inUse = NetworkChecks.listen("127.0.0.1", taken.getLocalPort());
            Finding foreign = NetworkChecks.listen("192.0.2.1", 0);
            Finding unknown = NetworkChecks.listen("x".repeat(64) + ".invalid", 0); // no name server is asked

            // then
            assertThat(inUse.state()).isEqualTo(State.WARNING);
            assertThat(foreign.state()).isEqualTo(State.FAILED);
            assertThat(foreign.advice()).contains("--listen");
            assertThat(unknown.state()).isEqualTo(State.FAILED);
            assertThat(unknown.found()).contains("unknown host xxx");
        }
    }
}
