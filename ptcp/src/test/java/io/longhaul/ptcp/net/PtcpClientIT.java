package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.proxy.HttpProxy;
import io.longhaul.ptcp.proxy.HttpProxySession;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PtcpClientIT {
    @Test
    void shouldSayInPlainWordsWhenNobodyListens() throws Exception {
        // given
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }

        // when / then
        try (PtcpClient client = PtcpClient.launch("test-client", 1)) {
            assertThatThrownBy(() -> client.open(
                                    PtcpClient.Target.plain("127.0.0.1", port), PtcpConfig.defaults(), session -> {
                                        throw new AssertionError("a session with nobody");
                                    })
                            .get(10, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(PtcpException.class)
                    .hasMessage("127.0.0.1:" + port + ": Connection refused");
        }
    }

    @Test
    void shouldPutAnAddressOfVersionSixInBrackets() {
        assertThat(PtcpClient.Target.plain("2001:db8::7", 7400)).hasToString("[2001:db8::7]:7400");
        assertThat(PtcpClient.Target.plain("broker.example", 7400)).hasToString("broker.example:7400");
    }

    @Test
    void shouldNameTheProxyWhenNobodyListensThere() {
        // given
        HttpProxySession proxy = HttpProxySession.of(HttpProxy.parse("http://127.0.0.1:1", Map.of()), Runnable::run);

        // when / then
        try (PtcpClient client = PtcpClient.launch("test-client", 1)) {
            assertThatThrownBy(() -> client.open(
                                    new PtcpClient.Target("broker.example", 7, Optional.empty(), Optional.of(proxy)),
                                    PtcpConfig.defaults(),
                                    session -> {
                                        throw new AssertionError("a session with nobody");
                                    })
                            .get(10, TimeUnit.SECONDS))
                    .cause()
                    .hasMessage("broker.example:7: proxy 127.0.0.1:1: cannot connect: Connection refused");
        }
    }

    @Test
    void shouldNameTheProxyWhenItSaysNothing() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"));
                PtcpClient client = PtcpClient.launch("test-client", 1)) {
            // given
            String url = "http://127.0.0.1:" + silent.getLocalPort();
            HttpProxySession proxy = HttpProxySession.of(HttpProxy.parse(url, Map.of()), Runnable::run);
            PtcpConfig defaults = PtcpConfig.defaults();
            Duration second = Duration.ofSeconds(1);

            // when / then
            assertThatThrownBy(() -> client.open(
                                    new PtcpClient.Target("broker.example", 7, Optional.empty(), Optional.of(proxy)),
                                    defaults.withLimits(
                                            second,
                                            defaults.stallLimit(),
                                            defaults.restoreLimit(),
                                            defaults.keepAlive()),
                                    session -> {
                                        throw new AssertionError("a session with nobody");
                                    })
                            .get(30, TimeUnit.SECONDS))
                    .cause()
                    .hasMessageStartingWith("broker.example:7: proxy 127.0.0.1:" + silent.getLocalPort() + ": ");
        }
    }
}
