package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import java.net.InetAddress;
import java.net.ServerSocket;
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
}
