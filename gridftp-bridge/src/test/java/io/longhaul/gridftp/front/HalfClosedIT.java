package io.longhaul.gridftp.front;

import static io.longhaul.gridftp.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that end their side of the control connection behind what they have said, as {@code printf ... | nc -N} does. */
final class HalfClosedIT {
    private static final int MANY = 200;
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration A_WHILE = Duration.ofSeconds(2);

    @TempDir
    private Path place;

    private final CountDownLatch checked = new CountDownLatch(1);
    private Fronts front;

    @BeforeEach
    void start() {
        front = Fronts.of(place.resolve("root"), Fronts.config(), new SlowAccounts(checked, true));
    }

    @AfterEach
    void stop() {
        checked.countDown();
        front.close();
    }

    private Socket say(String... lines) throws IOException {
        Socket client = FtpClient.open(new InetSocketAddress("127.0.0.1", front.port()));
        FtpClient.write(client, (String.join("\r\n", lines) + "\r\n").getBytes(StandardCharsets.UTF_8));
        client.shutdownOutput();
        return client;
    }

    private static List<String> codes(Socket client) {
        return new String(FtpClient.readAll(client), StandardCharsets.UTF_8)
                .lines()
                .map(line -> line.substring(0, 3))
                .toList();
    }

    private void assertNobodyIsLeft() {
        await().until(() -> front.front().sessions() == 0);
    }

    @Test
    void shouldAnswerAllThatWasSaid() throws IOException {
        front.put("f", new byte[3]);

        assertThat(codes(say("USER anonymous", "PASS x", "SIZE f", "QUIT")))
                .containsExactly("220", "331", "230", "213", "221");
        assertThat(codes(say("USER anonymous", "PASS x", "SIZE f", "MKD d")))
                .containsExactly("220", "331", "230", "213", "257");
        assertThat(codes(say("USER anonymous"))).containsExactly("220", "331");
        assertNobodyIsLeft();
    }

    @Test
    void shouldAnswerWhatWaits() throws Exception {
        // given
        front.put("f", new byte[3]);
        Socket client = say("USER bob", "PASS x", "SIZE f", "PASV", "RETR f", "NOOP");

        // when
        await().until(() -> front.front().sessions() == 1);
        checked.countDown();

        // then no transfer begins
        assertThat(codes(client)).startsWith("220", "331", "230", "213", "227").doesNotContain("150", "200");
        assertNobodyIsLeft();
    }

    @Test
    void shouldEndATransferWhoseClientMayBeGone() throws IOException {
        try (FtpClient client = FtpClient.anonymous(front.port())) {
            Socket data = FtpClient.open(client.passive());
            client.send("STOR f");
            client.expectReply(150);
            FtpClient.write(data, "abc".getBytes(StandardCharsets.US_ASCII));

            client.end();

            assertThat(client.reply()).isEmpty();
            FtpClient.close(data);
        }
        assertNobodyIsLeft();
        assertThat(front.everything()).isEmpty();
    }

    /** With replies that fill everything on the way to it, and with fewer. */
    @ParameterizedTest
    @ValueSource(ints = {8000, 200})
    void shouldCloseWhenAStrangerNeverReads(int lines) throws IOException {
        // given
        ByteBuffer said = ByteBuffer.wrap("HELP\r\n".repeat(lines).getBytes(StandardCharsets.US_ASCII));
        try (SocketChannel stranger = SocketChannel.open()) {
            stranger.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
            stranger.connect(new InetSocketAddress("127.0.0.1", front.port()));

            // when
            while (said.hasRemaining()) {
                stranger.write(said);
            }
            stranger.shutdownOutput();

            // then
            await().atMost(SOON).until(() -> front.front().sessions() == 0);
        }
    }

    @Test
    void shouldCloseWhenItIsNotAnsweredSoon() throws IOException {
        Socket client = say("USER bob", "PASS x", "NOOP");

        assertThat(codes(client)).containsExactly("220", "331");
        assertNobodyIsLeft();
    }

    @Test
    void shouldCloseAtOnceWhenTheConnectionIsReset() throws IOException {
        // given
        List<Socket> clients = waiting();

        // when
        for (Socket client : clients) {
            client.setSoLinger(true, 0);
            client.close();
        }

        // then
        await().atMost(Duration.ofSeconds(4)).until(() -> front.front().sessions() == 0);
    }

    @Test
    void shouldNotSpinWhileManyWait() throws Exception {
        // given
        List<Socket> clients = waiting();

        // when
        long before = loopNanos();
        await().pollDelay(A_WHILE).until(() -> true);
        long used = loopNanos() - before;

        // then
        assertThat(Duration.ofNanos(used)).isLessThan(A_WHILE.dividedBy(4));
        for (Socket client : clients) {
            FtpClient.close(client);
        }
    }

    private List<Socket> waiting() throws IOException {
        List<Socket> clients = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            clients.add(say("USER bob", "PASS x", "NOOP"));
        }
        for (Socket client : clients) {
            // both replies
            client.getInputStream().readNBytes("220 Longhaul GridFTP front ready.\r\n331 ".length());
        }
        return clients;
    }

    /** Returns the time that the cores have spent on the loops of fronts. */
    private static long loopNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Stream.of(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(thread -> thread != null && thread.getThreadName().startsWith("gridftp-front"))
                .mapToLong(ThreadInfo::getThreadId)
                .map(threads::getThreadCpuTime)
                .sum();
    }
}
