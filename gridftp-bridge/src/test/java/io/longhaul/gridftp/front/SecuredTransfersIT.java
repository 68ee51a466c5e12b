package io.longhaul.gridftp.front;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** Data connections under TLS, and how they end. */
final class SecuredTransfersIT extends OneClient {
    private static final int PATIENCE_MILLIS = 60_000;
    private static final int ONE_RECORD = 64;
    private static final byte[] BYTES = text("hello");

    @Override
    Fronts launch(Path root) {
        return Fronts.anonymous(root, Certificate.in(place).over(Fronts.config()));
    }

    @Override
    FtpClient login(int port) {
        return FtpClient.connect(port).guarded(place.resolve("front.crt"));
    }

    private SSLSocket secured(Socket data) throws IOException {
        SSLSocket secured = FtpClient.secured(place.resolve("front.crt"), data);
        secured.setSoTimeout(PATIENCE_MILLIS);
        return secured;
    }

    @Test
    void shouldProtectDataWhenTheClientAsksForItBeforeItLogsIn() throws IOException {
        // given
        front.put("f", BYTES);
        try (FtpClient other = FtpClient.connect(front.port()).secured(place.resolve("front.crt"))) {
            // when
            other.expect(200, "PBSZ 0");
            other.expect(200, "PROT P");
            other.expect(331, "USER anonymous");
            other.expect(230, "PASS x");
            Socket plain = FtpClient.open(other.passive());
            other.send("RETR f");

            // then
            other.expectReply(150);
            try (SSLSocket data = secured(plain)) {
                assertThat(data.getInputStream().readAllBytes()).isEqualTo(BYTES);
            }
            assertThat(other.last()).startsWith("226");
        }
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

    /** What a client has not read when it closes its connection resets that, and what it sent may be lost. */
    @Test
    void shouldSayNothingBehindTheHandshakeUntilAllHasComeWhenTheClientSends() throws IOException {
        // given
        Socket plain = FtpClient.open(client.passive());
        client.send("STOR f");
        client.expectReply(150);
        SSLSocket data = secured(plain);
        data.setEnabledProtocols(new String[] {"TLSv1.3"});
        data.startHandshake();

        // when
        data.getOutputStream().write(BYTES);
        data.shutdownOutput();

        // then
        assertThat(plain.getInputStream().readAllBytes())
                .as("its end, with whatever came before that")
                .hasSizeLessThan(ONE_RECORD);
        assertThat(client.last()).startsWith("226");
    }
}
