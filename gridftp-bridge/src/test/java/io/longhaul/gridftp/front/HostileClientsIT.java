package io.longhaul.gridftp.front;

import static io.longhaul.gridftp.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.Accounts;
import io.longhaul.gridftp.FrontConfig;
import io.longhaul.gridftp.FrontLimits;
import io.longhaul.gridftp.Patience;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients must not be able to do to others, or to the machine. */
final class HostileClientsIT {
    /** Most of it is on its way when the front has had enough. */
    private static final int MUCH = 2 * 1024 * 1024;

    private static final Accounts BOB = new Accounts() {
        @Override
        public boolean allowsAnonymous() {
            return false;
        }

        @Override
        public boolean matches(String user, char[] password) {
            return user.equals("bob") && new String(password).equals("secret");
        }
    };

    @TempDir
    private Path place;

    private Fronts front(FrontConfig config) {
        return Fronts.anonymous(place.resolve("root"), config);
    }

    @Test
    void shouldGoOnWhenBytesAreNoCommands() {
        try (Fronts front = front(Fronts.config());
                FtpClient client = FtpClient.anonymous(front.port())) {
            client.send("X".repeat(1_000_000));
            assertThat(client.reply()).startsWith("500 Line too long");
            client.send(new byte[] {(byte) 0xc3, 0x28, '\n'});
            assertThat(client.reply()).startsWith("500 Expected UTF-8");
            client.expect(500, "");
            client.expect(500, "NONSENSE x");
            client.expect(500, "SITE NONSENSE");
            client.expect(504, "MODE B");
            client.expect(504, "TYPE E");
            client.expect(504, "TYPE A T");
            client.expect(501, "TYPE X");
            client.expect(504, "LANG FR");
            client.expect(200, "OPTS UTF8 ON");
            client.expect(200, "NOOP");
        }
    }

    @Test
    void shouldSayWhyItClosesWhenThereIsNothingButGarbage() {
        try (Fronts front = front(Fronts.config());
                FtpClient client = FtpClient.connect(front.port())) {
            // given
            long seed = System.nanoTime();
            byte[] garbage = new byte[MUCH];
            new Random(seed).nextBytes(garbage);

            // when
            client.send(garbage);

            // then
            String reply = client.reply();
            while (!reply.isEmpty() && !reply.startsWith("421")) {
                reply = client.reply();
            }
            assertThat(reply).as("seed %d", seed).startsWith("421");
        }
    }

    @Test
    void shouldAnswerTheSameWhenCommandsComeByteByByte() {
        try (Fronts front = front(Fronts.config());
                FtpClient client = FtpClient.connect(front.port())) {
            for (byte next : "USER anonymous\r\nPASS x\r\nMKD /d\r\n".getBytes(StandardCharsets.UTF_8)) {
                client.send(new byte[] {next});
            }
            client.expectReply(331);
            client.expectReply(230);
            assertThat(client.expectReply(257)).contains("\"/d\"");
        }
    }

    @Test
    void shouldStayInsideWhenPathsWantOut() throws Exception {
        Files.writeString(place.resolve("secret"), "secret");
        try (Fronts front = front(Fronts.config());
                FtpClient client = FtpClient.anonymous(front.port())) {
            Files.createSymbolicLink(place.resolve("root/out"), place);
            client.passive();
            for (String path : List.of(
                    "../secret", "/../secret", "/a/../../secret", "out/secret", "%2e%2e/secret", "/out/../../secret")) {
                assertThat(client.command("RETR " + path)).as(path).startsWith("550");
                client.expect(550, "SIZE " + path);
                client.expect(550, "DELE " + path);
            }
            client.expect(550, "CWD out");
            client.expect(250, "CWD /../..");
            assertThat(client.expect(257, "PWD")).contains("\"/\"");
            assertThat(place.resolve("secret")).exists();
        }
    }

    @Test
    void shouldConnectNowhereElseWhenAClientNamesAThirdAddress() {
        try (Fronts front = front(Fronts.config());
                FtpClient client = FtpClient.anonymous(front.port())) {
            client.expect(504, "PORT 192,0,2,1,200,1");
            client.expect(504, "EPRT |1|192.0.2.1|51201|");
            client.expect(504, "SPOR 192,0,2,1,200,1");
            assertThat(client.expect(504, "SPOR 127,0,0,1,200,1 127,0,0,1,200,2"))
                    .contains("expected the address of one stripe, found 2");
            client.expect(504, "PORT 127,0,0,1,0,25");
            client.expect(504, "PORT 127,0,0,2,200,1");
            client.expect(501, "PORT 127,0,0,1,0");
        }
    }

    @Test
    void shouldDropADataConnectionWhenItComesFromAnotherAddressOfTheMachine() throws Exception {
        try (Fronts front = front(Fronts.config());
                FtpClient client = FtpClient.anonymous(front.port())) {
            front.put("f", new byte[3]);
            client.expect(200, "TYPE I");
            InetSocketAddress address = client.passive();
            client.send("RETR f");
            client.expectReply(150);

            try (Socket other =
                    new Socket(address.getAddress(), address.getPort(), InetAddress.getByName("127.0.0.2"), 0)) {
                other.setSoTimeout(20_000);
                assertThat(FtpClient.readAll(other)).isEmpty();
            }

            assertThat(FtpClient.readAll(FtpClient.open(address))).hasSize(3);
            assertThat(client.last()).startsWith("226");
        }
    }

    @Test
    void shouldRefuseEverythingButLoginWhenNobodyHasLoggedIn() {
        try (Fronts front = Fronts.of(place.resolve("root"), Fronts.config(), BOB);
                FtpClient client = FtpClient.connect(front.port())) {
            for (String command :
                    List.of("PWD", "STOR f", "PASV", "MLSD", "SITE UTIME x y", "CKSM MD5 0 -1 f", "XYZ")) {
                client.expect(530, command);
            }
            client.expect(211, "FEAT");
            client.expect(214, "SITE HELP");
            client.expect(503, "PASS x");
            client.expect(504, "AUTH GSSAPI");
            client.expect(331, "USER anonymous");
            client.expect(530, "PASS x");
            client.expect(331, "USER bob");
            client.expect(230, "PASS secret");
            client.expect(257, "PWD");
        }
    }

    @Test
    void shouldCloseWhenAPasswordIsGuessed() {
        try (Fronts front = Fronts.of(place.resolve("root"), Fronts.config(), BOB);
                FtpClient client = FtpClient.connect(front.port())) {
            for (int code : List.of(530, 530, 421)) {
                client.expect(331, "USER bob");
                client.expect(code, "PASS wrong");
            }
            assertThat(client.reply()).isEmpty();
        }
    }

    @Test
    void shouldCloseWhenMoreComesInClearTextBehindAuth() {
        FrontConfig config = Certificate.in(place).over(Fronts.config());
        try (Fronts front = Fronts.of(place.resolve("root"), config, BOB);
                FtpClient injected = FtpClient.connect(front.port());
                FtpClient client = FtpClient.connect(front.port())) {
            injected.send("AUTH TLS\r\nUSER mallory");
            injected.expectReply(503);
            assertThat(injected.reply()).isEmpty();

            client.expect(331, "USER mallory");
            FtpClient secured = client.secured(place.resolve("front.crt"));
            secured.expect(503, "PASS x");
            secured.expect(331, "USER bob");
            secured.expect(230, "PASS secret");
            secured.close();
        }
    }

    @Test
    void shouldTakeNamesOfAnonymousForOthersWhenThereIsNoAnonymous() {
        Certificate certificate = Certificate.in(place);
        FrontConfig config = FrontTls.with(
                Fronts.config(),
                certificate.directory().resolve("front.crt"),
                certificate.directory().resolve("front.key"),
                true);
        try (Fronts front = Fronts.of(place.resolve("root"), config, BOB);
                FtpClient client = FtpClient.connect(front.port())) {
            client.expect(530, "USER ftp");
        }
    }

    @Test
    void shouldFreeTheUsersPlaceWhenAClientLeavesBeforeItsPasswordIsChecked() throws Exception {
        CountDownLatch checking = new CountDownLatch(1);
        Accounts slow = new SlowAccounts(checking, false);
        FrontConfig config = Fronts.config().withLimits(FrontLimits.defaults().withSessions(10, 10, 1));
        try (Fronts front = Fronts.of(place.resolve("root"), config, slow)) {
            // given
            try (FtpClient leaving = FtpClient.connect(front.port())) {
                leaving.expect(331, "USER bob");
                leaving.send("PASS secret");
            }
            await().until(() -> front.front().sessions() == 0);

            // when
            checking.countDown();

            // then
            try (FtpClient client = FtpClient.connect(front.port())) {
                client.expect(331, "USER bob");
                client.expect(230, "PASS secret");
            }
        }
    }

    @Test
    void shouldCloseWhenAStrangerNeverReadsItsReplies() throws Exception {
        FrontLimits limits = FrontLimits.defaults()
                .withTimes(
                        Duration.ofSeconds(2), Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofSeconds(60));
        byte[] lines = "HELP\r\n".repeat(10_000).getBytes(StandardCharsets.US_ASCII);
        long most = 64L * 1024 * 1024;
        try (Fronts front = front(Fronts.config().withLimits(limits));
                SocketChannel stranger = SocketChannel.open(new InetSocketAddress("127.0.0.1", front.port()))) {
            stranger.configureBlocking(false);
            long sent = 0;
            long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(Patience.SECONDS);
            ByteBuffer left = ByteBuffer.wrap(lines);
            try {
                while (sent < most && System.nanoTime() < endNs) {
                    if (!left.hasRemaining()) {
                        left.rewind();
                    }
                    sent += stranger.write(left);
                }
            } catch (IOException e) {
                assertThat(sent).as("closed with " + e.getMessage()).isPositive();
            }

            assertThat(sent).isLessThan(most);
            await().until(() -> front.front().sessions() == 0);
        }
    }

    @Test
    void shouldStopAChecksumWhenItIsAborted() throws Exception {
        try (Fronts front = front(Fronts.config());
                FtpClient client = FtpClient.anonymous(front.port())) {
            try (RandomAccessFile sparse =
                    new RandomAccessFile(place.resolve("root/f").toFile(), "rw")) {
                sparse.setLength(200L << 30);
            }
            client.send("CKSM SHA512 0 -1 f\r\nABOR");

            client.expectReply(426);
            client.expectReply(226);
            client.expect(200, "NOOP");
        }
    }

    @Test
    void shouldCloseWhenAClientSaysNothing() {
        FrontLimits limits = FrontLimits.defaults()
                .withTimes(Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(5));
        try (Fronts front = front(Fronts.config().withLimits(limits));
                FtpClient stranger = FtpClient.connect(front.port());
                FtpClient client = FtpClient.anonymous(front.port())) {
            assertThat(stranger.reply()).startsWith("421 Nobody logged in");
            assertThat(client.reply()).startsWith("421 Idle Timeout");
            await().until(() -> front.front().sessions() == 0);
        }
    }

    @Test
    void shouldGiveUpWhenATransferStandsStill() {
        FrontLimits limits = FrontLimits.defaults()
                .withTimes(
                        Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofSeconds(5), Duration.ofSeconds(1));
        try (Fronts front = front(Fronts.config().withLimits(limits));
                FtpClient client = FtpClient.anonymous(front.port())) {
            client.expect(200, "TYPE I");
            client.passive();
            client.send("STOR f");
            assertThat(client.last()).startsWith("425 Cannot open data connection: nobody connected");
            client.expect(200, "MODE E");
            Socket data = FtpClient.open(client.passive());
            client.send("STOR f");
            FtpClient.write(data, FtpClient.block(0, 0, new byte[3]), FtpClient.endOfFile(2));

            assertThat(client.last()).startsWith("426 Data connection stalled").contains("1 of 2 EODs");
            assertThat(front.everything()).isEmpty();
            FtpClient.close(data);
        }
    }

    @Test
    void shouldTurnAwayWhenThereIsNoRoom() {
        FrontLimits limits = FrontLimits.defaults().withSessions(10, 2, 1);
        try (Fronts front = front(Fronts.config().withLimits(limits));
                FtpClient one = FtpClient.anonymous(front.port());
                FtpClient other = FtpClient.anonymous(front.port())) {
            Socket third = FtpClient.open(new InetSocketAddress("127.0.0.1", front.port()));
            assertThat(new String(FtpClient.readAll(third), StandardCharsets.US_ASCII))
                    .startsWith("421 ");
            one.expect(200, "NOOP");
            other.expect(200, "NOOP");
        }
    }

    @Test
    void shouldServeEverybodyWhenTwoHundredComeAtATime() {
        try (Fronts front = front(Fronts.config())) {
            front.put("f", new byte[1000]);
            List<FtpClient> clients = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                clients.add(FtpClient.anonymous(front.port()));
            }
            for (FtpClient client : clients) {
                Socket data = FtpClient.open(client.passive());
                client.send("RETR f");
                assertThat(FtpClient.readAll(data)).hasSize(1000);
                assertThat(client.last()).startsWith("226");
            }
            clients.forEach(client -> client.close());
            await().until(() -> front.front().sessions() == 0);
        }
    }

    @Test
    void shouldTellNamesAsTheyAreWhenTheyAreNotAscii() {
        try (Fronts front = front(Fronts.config());
                FtpClient client = FtpClient.anonymous(front.port())) {
            client.expect(257, "MKD naïve \"x\"");
            client.expect(250, "CWD naïve \"x\"");
            assertThat(client.expect(257, "PWD")).contains("\"/naïve \"\"x\"\"\"");
            client.expect(200, "TYPE A");
            client.expect(250, "CDUP");
            Socket data = FtpClient.open(client.passive());
            client.send("NLST");
            assertThat(new String(FtpClient.readAll(data), StandardCharsets.UTF_8))
                    .isEqualTo("naïve \"x\"\r\n");
            assertThat(client.last()).startsWith("226");
        }
    }
}
