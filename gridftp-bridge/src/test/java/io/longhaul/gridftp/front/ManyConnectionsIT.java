package io.longhaul.gridftp.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.FrontLimits;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** MODE E uploads over as many connections as a session may have, and over more. */
final class ManyConnectionsIT {
    private static final int EOD_AND_CLOSE = 0x0c;

    /** A connection that is not read ends the transfer soon. */
    private static final FrontLimits LIMITS = FrontLimits.defaults()
            .withTimes(Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofSeconds(10));

    @TempDir
    private Path place;

    @Test
    void shouldReceiveOverTwoHundredConnectionsAtATime() {
        int count = 200;
        try (Fronts front =
                        Fronts.anonymous(place.resolve("root"), Fronts.config().withLimits(LIMITS));
                FtpClient client = FtpClient.anonymous(front.port())) {
            client.expect(200, "TYPE I");
            client.expect(200, "MODE E");
            InetSocketAddress address = client.passive();
            client.send("STOR f");
            List<Socket> sockets = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                sockets.add(FtpClient.open(address));
            }
            for (int i = 0; i < count; i++) {
                byte[] end = i == 0 ? FtpClient.endOfFile(count) : FtpClient.endOfData();
                FtpClient.write(sockets.get(i), FtpClient.block(0, i, new byte[] {(byte) i}), end);
            }

            assertThat(client.last()).startsWith("226");
            assertThat(front.bytes("f")).hasSize(count);
            sockets.forEach(socket -> FtpClient.close(socket));
        }
    }

    @Test
    void shouldTakeAnotherConnectionWhenOneHasEnded() {
        FrontLimits limits = LIMITS.withDataConnections(1);
        try (Fronts front =
                        Fronts.anonymous(place.resolve("root"), Fronts.config().withLimits(limits));
                FtpClient client = FtpClient.anonymous(front.port())) {
            client.expect(200, "TYPE I");
            client.expect(200, "MODE E");
            InetSocketAddress address = client.passive();
            client.send("STOR f");
            client.expectReply(150);
            Socket first = FtpClient.open(address);
            FtpClient.write(first, FtpClient.block(0, 0, new byte[3]));
            Socket second = FtpClient.open(address);
            FtpClient.write(second, FtpClient.block(0, 3, new byte[3]), FtpClient.endOfFile(2));

            FtpClient.write(first, FtpClient.block(EOD_AND_CLOSE, 0, new byte[0]));

            assertThat(client.last()).startsWith("226");
            assertThat(front.bytes("f")).hasSize(6);
            FtpClient.close(first);
            FtpClient.close(second);
        }
    }
}
