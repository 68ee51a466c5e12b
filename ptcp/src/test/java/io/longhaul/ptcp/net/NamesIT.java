package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.net.PtcpClient.Target;
import io.longhaul.ptcp.proxy.HttpProxy;
import io.longhaul.ptcp.proxy.HttpProxySession;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions to names, whatever the name server does. */
@Timeout(120)
final class NamesIT {
    private static final int NOWHERE = 1;
    private static final PtcpConfig PATIENT = connectingWithin(Duration.ofSeconds(Patience.SECONDS));
    private static final PtcpConfig HASTY = connectingWithin(Duration.ofMillis(500));

    /** More than the longest time that a busy machine stands still, for each of two addresses. */
    private static final PtcpConfig UNHURRIED = connectingWithin(Duration.ofSeconds(24));

    private static PtcpConfig connectingWithin(Duration limit) {
        return PtcpConfig.defaults()
                .withLimits(limit, Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(5));
    }

    private static CompletableFuture<PtcpSession> open(PtcpClient client, Target target, PtcpConfig config) {
        return client.open(target, config, session -> {
            throw new AssertionError("a session with nobody");
        });
    }

    private static void assertUnreachable(CompletableFuture<PtcpSession> opened, String message) {
        assertThatThrownBy(() -> opened.get(Patience.SECONDS, TimeUnit.SECONDS))
                .cause()
                .hasMessage(message)
                .isInstanceOfSatisfying(
                        PtcpException.class, e -> assertThat(e.code()).isEqualTo(PtcpException.Code.UNREACHABLE));
    }

    @Test
    void shouldHoldNobodyUpWhenNoNameServerAnswers() {
        // given
        CountDownLatch answer = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        Names.Lookup silent = host -> {
            asked.incrementAndGet();
            try {
                answer.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return List.of(InetAddress.getLoopbackAddress());
        };
        try (PtcpClient client = PtcpClient.launch("test-client", 1, silent)) {
            // when
            CompletableFuture<PtcpSession> first = open(client, Target.plain("silent.example", NOWHERE), HASTY);
            CompletableFuture<PtcpSession> second = open(client, Target.plain("silent.example", NOWHERE), HASTY);
            CompletableFuture<PtcpSession> other = open(client, Target.plain("127.0.0.1", NOWHERE), PATIENT);

            // then
            assertUnreachable(other, "127.0.0.1:1: Connection refused");
            assertUnreachable(first, "silent.example:1: no answer within 500 ms");
            assertUnreachable(second, "silent.example:1: no answer within 500 ms");
            assertThat(asked).hasValue(1);
            assertThat(answer.getCount()).isEqualTo(1);
        } finally {
            answer.countDown();
        }
    }

    @Test
    void shouldEndWhatWaitsForANameWhenTheClientIsClosed() throws Exception {
        // given
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        PtcpClient client = PtcpClient.launch("test-client", 1, host -> {
            asked.countDown();
            while (answer.getCount() > 0) { // as the system's, it does not heed an interrupt
                Thread.interrupted();
                LockSupport.parkNanos(1_000_000);
            }
            return List.of(InetAddress.getLoopbackAddress());
        });
        CompletableFuture<PtcpSession> opened = open(client, Target.plain("silent.example", NOWHERE), PATIENT);
        assertThat(asked.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();

        // when
        client.close();

        // then
        assertThatThrownBy(() -> opened.get(Patience.SECONDS, TimeUnit.SECONDS))
                .cause()
                .hasMessage("silent.example:1: this end is closing");
        answer.countDown();
    }

    @Test
    void shouldConnectToWhatTheNameStandsForWhenItIsFound() {
        // given
        try (PtcpClient client =
                PtcpClient.launch("test-client", 1, host -> List.of(InetAddress.getByName("127.0.0.1")))) {
            // then
            assertUnreachable(
                    open(client, Target.plain("found.example", NOWHERE), PATIENT),
                    "found.example:1: Connection refused");
        }
    }

    @Test
    void shouldSayThatTheHostIsUnknownWhenThereIsNoSuchName() {
        // given
        AtomicInteger asked = new AtomicInteger();
        try (PtcpClient client = PtcpClient.launch("test-client", 1, host -> {
            // Java remembers that there is none, but not what the system said
            boolean first = asked.getAndIncrement() == 0;
            throw new UnknownHostException(first ? host + ": Name or service not known" : host);
        })) {
            // then
            assertUnreachable(
                    open(client, Target.plain("none.example", NOWHERE), PATIENT),
                    "none.example:1: unknown host none.example: Name or service not known");
            assertUnreachable(
                    open(client, Target.plain("none.example", NOWHERE), PATIENT),
                    "none.example:1: unknown host none.example");
        }
    }

    /** A server of tests, whose sessions are nobody's. */
    private static PtcpServer serve(String host, int port) throws IOException {
        return PtcpServer.launch(
                new PtcpServer.Settings(
                        "test-server",
                        new InetSocketAddress(host, port),
                        Optional.empty(),
                        1,
                        100,
                        (kind, story) -> System.out.println(kind + ": " + story)),
                PATIENT,
                session -> new Deaf());
    }

    @Test
    void shouldGoToTheNextAddressWhenNobodyIsAtTheFirst() throws Exception {
        // given
        List<InetAddress> both = List.of(InetAddress.getByName("127.0.0.2"), InetAddress.getByName("127.0.0.1"));
        try (PtcpServer server = serve("127.0.0.1", 0);
                PtcpClient client = PtcpClient.launch("test-client", 1, host -> both)) {
            // when
            PtcpSession session = client.open(Target.plain("two.example", server.port()), PATIENT, made -> new Deaf())
                    .get(Patience.SECONDS, TimeUnit.SECONDS);

            // then
            assertThat(((InetSocketAddress) session.remoteAddress()).getAddress())
                    .isEqualTo(both.get(1));
        }
    }

    /** Listens as a process does that is stopped: connections stand, and nobody answers. */
    private static ServerSocket stopped(String host, int port) throws IOException {
        return new ServerSocket(port, 10, InetAddress.getByName(host));
    }

    @Test
    void shouldGoToTheNextAddressInTimeWhenTheFirstDoesNotAnswer() throws Exception {
        // given
        List<InetAddress> both = List.of(InetAddress.getByName("127.0.0.2"), InetAddress.getByName("127.0.0.1"));
        try (PtcpServer server = serve("127.0.0.1", 0);
                ServerSocket first = stopped("127.0.0.2", server.port());
                PtcpClient client = PtcpClient.launch("test-client", 1, host -> both)) {
            // when
            PtcpSession session = client.open(
                            Target.plain("two.example", first.getLocalPort()), UNHURRIED, made -> new Deaf())
                    .get(Patience.SECONDS, TimeUnit.SECONDS);

            // then
            assertThat(((InetSocketAddress) session.remoteAddress()).getAddress())
                    .isEqualTo(both.get(1));
        }
    }

    @Test
    void shouldGiveAllAddressesTogetherTheTimeOfOneWhenNoneAnswers() throws Exception {
        // given
        List<InetAddress> all = new ArrayList<>();
        List<ServerSocket> sockets = new ArrayList<>();
        int port = 0;
        for (int i = 1; i <= 8; i++) {
            ServerSocket socket = stopped("127.0.0." + i, port);
            port = socket.getLocalPort();
            sockets.add(socket);
            all.add(socket.getInetAddress());
        }
        try (PtcpClient client = PtcpClient.launch("test-client", 1, host -> all)) {
            // when
            CompletableFuture<PtcpSession> opened =
                    open(client, Target.plain("eight.example", port), connectingWithin(Duration.ofSeconds(2)));

            // then: in less than the 16 s of one after the other
            assertThatThrownBy(() -> opened.get(15, TimeUnit.SECONDS))
                    .cause()
                    .hasMessage("eight.example:" + port + ": no answer within 2000 ms");
        }
        for (ServerSocket socket : sockets) {
            socket.close();
        }
    }

    @Test
    void shouldSayWhatIsWrongWithTheFirstAddressWhenNoneCanBeReached() throws Exception {
        // given
        List<InetAddress> both = List.of(InetAddress.getByName("127.0.0.1"), InetAddress.getByName("127.0.0.2"));
        try (Socket refusing = new Socket();
                PtcpClient client = PtcpClient.launch("test-client", 1, host -> both)) {
            refusing.bind(new InetSocketAddress("127.0.0.1", 0)); // nobody listens there
            try (ServerSocket second = stopped("127.0.0.2", refusing.getLocalPort())) {
                int port = second.getLocalPort();

                // then: when the second one's time is over
                assertUnreachable(
                        open(client, Target.plain("two.example", port), connectingWithin(Duration.ofSeconds(12))),
                        "two.example:" + port + ": Connection refused");
            }
        }
    }

    @Test
    void shouldDialAllStreamsWhereTheFirstConnectionWentWhenTheNameChanges() throws Exception {
        // given
        AtomicInteger asked = new AtomicInteger();
        try (PtcpServer first = serve("127.0.0.1", 0);
                PtcpServer second = serve("127.0.0.2", first.port());
                PtcpClient client = PtcpClient.launch(
                        "test-client",
                        1,
                        host -> List.of(InetAddress.getByName("127.0.0." + asked.incrementAndGet())))) {
            // when
            PtcpSession session = client.open(
                            Target.plain("turning.example", second.port()), PATIENT.withStreams(3), made -> new Deaf())
                    .get(Patience.SECONDS, TimeUnit.SECONDS);

            // then
            Patience.await()
                    .untilAsserted(
                            () -> assertThat(session.snapshot().streams()).hasSize(3));
            assertThat(asked).hasValue(1);
        }
    }

    @Test
    void shouldLookNothingUpWhenAProxyDoes() {
        // given
        AtomicInteger asked = new AtomicInteger();
        HttpProxySession proxy = HttpProxySession.of(new HttpProxy("127.0.0.1", NOWHERE, "", ""), Runnable::run);
        try (PtcpClient client = PtcpClient.launch("test-client", 1, host -> {
            asked.incrementAndGet();
            return List.of(InetAddress.getLoopbackAddress());
        })) {
            // when
            CompletableFuture<PtcpSession> opened =
                    open(client, new Target("behind.example", 7400, Optional.empty(), Optional.of(proxy)), PATIENT);

            // then
            assertThatThrownBy(() -> opened.get(Patience.SECONDS, TimeUnit.SECONDS))
                    .hasMessageContaining("behind.example:7400");
            assertThat(asked).hasValue(0);
        }
    }
}
