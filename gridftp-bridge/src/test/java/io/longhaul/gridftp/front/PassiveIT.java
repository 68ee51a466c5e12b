package io.longhaul.gridftp.front;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.longhaul.gridftp.FrontConfig;
import io.longhaul.gridftp.PortRange;
import io.longhaul.gridftp.protocol.DataAddress;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where clients are told to connect for data. */
final class PassiveIT {
    private static final byte[] BYTES = "some".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path place;

    @Test
    void shouldSetUpDataConnectionsByEpsvOnlyWhenTheClientHasSaidSo() {
        try (Fronts front = Fronts.anonymous(place.resolve("root"), Fronts.config());
                FtpClient client = FtpClient.anonymous(front.port())) {
            // given
            client.expect(227, "PASV");

            // when
            client.expect(200, "EPSV ALL");

            // then
            for (String command : List.of(
                    "PASV",
                    "SPAS",
                    "SPAS 2",
                    "PORT 127,0,0,1,200,1",
                    "EPRT |1|127.0.0.1|51201|",
                    "SPOR 127,0,0,1,200,1")) {
                client.expect(503, command);
            }
            client.expect(229, "EPSV");
        }
    }

    @Test
    void shouldTellNoAddressOfPasvWhenTheClientHasRuledItOutMeanwhile() {
        try (Fronts front = Fronts.anonymous(place.resolve("root"), Fronts.config());
                FtpClient client = FtpClient.anonymous(front.port())) {
            // given
            client.expect(200, "OPTS PASV AllowDelayed=1;");
            client.expect(200, "PASV");

            // when
            client.expect(200, "EPSV ALL");

            // then
            client.expect(425, "MLSD");
            client.expect(200, "EPSV");
            client.expect(129, "MLSD");
        }
    }

    @Test
    void shouldNameTheProtocolsThatThereAreWhenAClientAsksForAnother() {
        try (Fronts front = Fronts.anonymous(place.resolve("root"), Fronts.config());
                FtpClient client = FtpClient.anonymous(front.port())) {
            assertThat(client.expect(522, "EPSV 2")).contains("(1)");
            assertThat(client.expect(522, "EPSV 3")).contains("(1)");
            client.expect(501, "EPSV x");
            assertThat(client.expect(522, "EPRT |3|127.0.0.1|51201|")).contains("(1,2)");
            client.expect(501, "EPRT |x|127.0.0.1|51201|");
        }
    }

    @Test
    void shouldConnectToAnAddressOfTheOtherProtocolWhenItIsTheClientsToo() throws IOException {
        assumeThat(NetworkInterface.getByInetAddress(NetUtil.LOCALHOST6))
                .as("IPv6")
                .isNotNull();

        // given
        FrontConfig config = FrontConfig.of(new InetSocketAddress(NetUtil.LOCALHOST6, 0));
        try (Fronts front = Fronts.anonymous(place.resolve("root"), config);
                FtpClient client = FtpClient.anonymous(NetUtil.LOCALHOST6, front.port());
                ServerSocket listening = client.active()) {
            front.put("f", BYTES);

            // when
            client.send("RETR f");

            // then
            assertThat(FtpClient.readAll(listening.accept())).isEqualTo(BYTES);
            assertThat(client.last()).startsWith("226");
        }
    }

    @Test
    void shouldServeClientsOfTheOtherProtocolWhenThePublicAddressIsOfNoUseToThem() throws IOException {
        assumeThat(NetworkInterface.getByInetAddress(NetUtil.LOCALHOST6))
                .as("IPv6")
                .isNotNull();

        // given
        InetAddress four = InetAddress.getByName("192.0.2.1");
        FrontConfig config = FrontConfig.of(new InetSocketAddress(NetUtil.LOCALHOST6, 0))
                .withPassive(Optional.of(four), PortRange.ANY);
        try (Fronts front = Fronts.anonymous(place.resolve("root"), config);
                FtpClient client = FtpClient.anonymous(NetUtil.LOCALHOST6, front.port())) {
            front.put("f", BYTES);

            // when
            client.expect(522, "PASV");
            client.expect(522, "EPSV 1");
            int port = DataAddress.parseEpsv(client.expect(229, "EPSV 2"));

            // then
            Socket data = FtpClient.open(new InetSocketAddress(NetUtil.LOCALHOST6, port));
            client.send("RETR f");
            assertThat(FtpClient.readAll(data)).isEqualTo(BYTES);
            assertThat(client.last()).startsWith("226");
        }
    }
}
