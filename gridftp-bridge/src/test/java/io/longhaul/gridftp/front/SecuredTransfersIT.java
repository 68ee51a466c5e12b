package io.longhaul.gridftp.front;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data connections under TLS, and how they end. */
final class SecuredTransfersIT {
    private static final int PATIENCE_MILLIS = 60_000;
    private static final byte[] BYTES = "hello".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path place;

    private Fronts front;
    private FtpClient client;

    @BeforeEach
    void start() {
        front = Fronts.anonymous(place.resolve("root"), Certificate.in(place).over(Fronts.config()));
        client = FtpClient.connect(front.port()).secured(place.resolve("front.crt"));
        client.expect(331, "USER anonymous");
        client.expect(230, "PASS x");
        client.expect(200, "TYPE I");
        client.expect(200, "PBSZ 0");
        client.expect(200, "PROT P");
    }

    @AfterEach
    void stop() {
        client.close();
        front.close();
    }

    private SSLSocket secured(Socket data) throws IOException {
        SSLSocket secured = FtpClient.secured(place.resolve("front.crt"), data);
        secured.setSoTimeout(PATIENCE_MILLIS);
        return secured;
    }

    @Test
    void shouldEndTlsWhenTheClientWaitsForThatBeforeItCloses() throws IOException {
        for (String version : new String[] {"TLSv1.2", "TLSv1.3"}) {
            for (byte[] sent : new byte[][] {BYTES, new byte[0]}) {
                // given
                Socket plain = FtpClient.open(client.passive());
                client.send("STOR f");
                client.expectReply(150);

                // when
                try (SSLSocket data = secured(plain)) {
                    data.setEnabledProtocols(new String[] {version});
                    data.startHandshake();
                    data.getOutputStream().write(sent);
                    data.shutdownOutput();

                    // then
                    assertThat(data.getInputStream().read()).isEqualTo(-1);
                }
                assertThat(client.last()).startsWith("226");
                assertThat(front.bytes("f")).isEqualTo(sent);
            }
        }
    }
}
