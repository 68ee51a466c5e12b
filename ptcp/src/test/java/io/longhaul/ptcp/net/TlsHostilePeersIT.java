package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.contract.Certificates;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that never finish a handshake of TLS, or say nothing sound after it: what they cost, and that nobody else notices. */
class TlsHostilePeersIT {
    private static final int MANY = 1000;

    /** For strangers whom something else than their silence ends. */
    private static final Duration LONG = Duration.ofSeconds(10);

    private static final int ALERT = 21;
    private static final int HANDSHAKE = 22;
    private static final int MOST_RECORD_BYTES = 16 * 1024;

    @TempDir
    private static Path directory;

    private static Certificates authority;

    @BeforeAll
    static void certify() throws Exception {
        authority = Certificates.authority(directory, "authority").sign("server", "IP:127.0.0.1");
    }

    private static Site site(int most, Duration limit) throws Exception {
        return Site.secured(most, limit, authority);
    }

    /** Returns what an honest client says first. */
    private static byte[] clientHello() throws Exception {
        SSLEngine engine = anybody().createSSLEngine();
        engine.setUseClientMode(true);
        ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), out);
        return Arrays.copyOf(out.array(), out.position());
    }

    private static SSLContext anybody() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        // what the server shows is of no matter here
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        return context;
    }

    private static byte[] record(int type, byte[] body) {
        return ByteBuffer.allocate(5 + body.length)
                .put((byte) type)
                .putShort((short) 0x0303)
                .putShort((short) body.length)
                .put(body)
                .array();
    }

    /** Returns most of a record that is as long as its header can say, four times what TLS allows. */
    private static byte[] endless() {
        return ByteBuffer.allocate(60_000)
                .put((byte) HANDSHAKE)
                .putShort((short) 0x0303)
                .putShort((short) 0xffff)
                .array();
    }

    private static byte[] garbage(String kind) {
        return switch (kind) {
            case "random" -> Stranger.random(50_000);
            case "handshake of garbage" -> record(HANDSHAKE, Stranger.random(500));
            case "data before a handshake" -> record(23, Stranger.random(500));
            case "alert" -> record(ALERT, new byte[] {2, 40});
            default -> Stranger.text(kind);
        };
    }

    private static void send(Stranger stranger, byte[] bytes) {
        try {
            stranger.send(bytes);
        } catch (IOException e) {
            // closed while it was still writing is closed, too
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
                "SSH-2.0-x\r\n",
                "random",
                "handshake of garbage",
                "data before a handshake",
                "alert"
            })
    void shouldCloseWhenBytesAreNoTls(String kind) throws Exception {
        // given
        try (Site site = site(MANY, LONG)) {
            // when
            for (int i = 0; i < 50; i++) {
                try (Stranger stranger = Stranger.connect(site.port())) {
                    send(stranger, garbage(kind));

                    // then
                    assertThat(stranger.rest().length()).as("an alert at most").isLessThan(100);
                }
            }
            site.awaitLine("failure", "connection from /127.0.0.1:");
            site.assertUnharmed();
        }
    }

    @Test
    void shouldCloseInTimeWhenHandshakesStandStill() throws Exception {
        // given
        try (Site site = site(MANY, Site.GREETING_LIMIT)) {
            byte[] hello = clientHello();
            List<Stranger> half = site.crowd(100);

            // when
            long startNs = System.nanoTime();
            for (int i = 0; i < half.size(); i++) {
                // nothing, a part, or all of the first flight, or one that is said to be longer than any may be
                send(half.get(i), i % 4 < 3 ? Arrays.copyOf(hello, i % 4 * hello.length / 2) : endless());
            }
            site.costs().assertMemoryWithin(48);
            for (Stranger one : half) {
                one.rest();
            }

            // then
            assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Site.GREETING_LIMIT.multipliedBy(5));
            Stranger.leave(half);
            site.awaitLine("silence", "no greeting within 1000 ms");
            site.assertUnharmed();
        }
    }

    @Test
    void shouldCloseInTimeWhenAHandshakeTricklesIn() throws Exception {
        // given
        try (Site site = site(MANY, Site.GREETING_LIMIT)) {
            byte[] hello = clientHello();
            List<Stranger> slow = site.crowd(50);
            long startNs = System.nanoTime();

            // when
            Patience.await().pollInterval(Duration.ofMillis(20)).until(new Trickle(slow, hello)::isOver);

            // then
            assertThat(Duration.ofNanos(System.nanoTime() - startNs))
                    .isBetween(Site.GREETING_LIMIT.dividedBy(2), Site.GREETING_LIMIT.multipliedBy(5));
            for (Stranger one : slow) {
                one.rest();
            }
            Stranger.leave(slow);
            site.awaitLine("silence", "no greeting within 1000 ms");
            site.assertUnharmed();
        }
    }

    /** Says one byte more each time it is asked, to whom still listens. */
    private static final class Trickle {
        private final List<Stranger> strangers;
        private final byte[] bytes;
        private int said;

        Trickle(List<Stranger> strangers, byte[] bytes) {
            this.strangers = strangers;
            this.bytes = bytes;
        }

        boolean isOver() {
            assertThat(said).as("bytes of the first flight").isLessThan(bytes.length);
            byte[] next = {bytes[said++]};
            int gone = 0;
            for (Stranger one : strangers) {
                try {
                    one.send(next);
                } catch (IOException e) {
                    gone++;
                }
            }
            return gone == strangers.size();
        }
    }

    @Test
    void shouldServeNewcomersWhenHandshakesThatStandStillTakeAllPlaces() throws Exception {
        // given
        try (Site site = site(20, LONG)) {
            byte[] hello = clientHello();
            List<Stranger> half = new ArrayList<>();

            // when
            for (int i = 0; i < 50; i++) {
                Stranger one = Stranger.connect(site.port());
                send(one, hello);
                half.add(one);
            }
            for (Stranger one : half.subList(0, 50 - 20 / Strangers.SHARE)) {
                one.rest();
            }

            // then
            site.newcomer().stop();
            Stranger.leave(half);
            site.awaitLine("crowd", "still without a session");
            site.assertUnharmed();
        }
    }

    @Test
    void shouldHoldNextToNothingWhenACrowdSaysThatItsRecordsAreLong() throws Exception {
        // given
        try (Site site = site(Strangers.SHARE * MANY, LONG)) {
            List<Stranger> greedy = site.crowd(MANY);

            // when
            for (Stranger one : greedy) {
                send(one, endless());
            }

            // then
            site.costs().assertMemoryWithin(16);
            for (Stranger one : greedy) {
                one.rest();
            }
            Stranger.leave(greedy);
            site.awaitLine("failure", "a record of TLS with 65535 bytes, expected at most 18432");
            site.assertUnharmed();
        }
    }

    /** A message of a handshake may say that it is 16 MiB long, and come in as many records as it likes. */
    @Test
    void shouldKeepLittleWhenAMessageOfAHandshakeIsEndless() throws Exception {
        // given
        try (Site site = site(MANY, LONG)) {
            byte[] begin = new byte[MOST_RECORD_BYTES];
            begin[0] = 1;
            Arrays.fill(begin, 1, 4, (byte) 0xff);
            List<Stranger> greedy = site.crowd(100);

            // when
            for (Stranger one : greedy) {
                send(one, record(HANDSHAKE, begin));
            }
            for (int i = 0; i < 20; i++) {
                for (Stranger one : greedy) {
                    send(one, record(HANDSHAKE, new byte[MOST_RECORD_BYTES]));
                }
            }

            // then
            site.costs().assertMemoryWithin(48);
            Stranger.leave(greedy);
            site.assertUnharmed();
        }
    }

    @Test
    void shouldServeOnWhenHandshakesBreakOff() throws Exception {
        // given
        try (Site site = site(MANY, LONG)) {
            byte[] hello = clientHello();

            // when
            for (int i = 0; i < 300; i++) {
                Stranger one = Stranger.connect(site.port());
                send(one, hello);
                if (i % 2 == 0) {
                    assertThat(one.read(1)).hasSize(1);
                }
                if (i % 3 == 0) {
                    one.reset();
                } else {
                    one.close();
                }
            }

            // then
            site.assertUnharmed();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldCloseWhenThereIsNoGreetingInTls(String version) throws Exception {
        // given
        try (Site site = site(MANY, LONG)) {
            // when
            for (int i = 0; i < 20; i++) {
                try (SSLSocket socket =
                        (SSLSocket) anybody().getSocketFactory().createSocket("127.0.0.1", site.port())) {
                    socket.setEnabledProtocols(new String[] {version});
                    socket.setSoTimeout(Patience.SECONDS * 1000);
                    socket.getOutputStream().write(Stranger.text("GET / HTTP/1.1\r\n\r\n"));

                    // then
                    assertThat(socket.getInputStream().readAllBytes()).isEmpty();
                }
            }
            site.awaitLine("garbage", "bytes that are no greeting");
            site.assertUnharmed();
        }
    }
}
