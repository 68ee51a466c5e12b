package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.net.PtcpClient.Target;
import io.longhaul.ptcp.proxy.HttpProxy;
import io.longhaul.ptcp.proxy.HttpProxySession;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions to names, whatever the name server does. */
@Timeout(30)
final class NamesIT {
    private static final int NOWHERE = 1;
    private static final PtcpConfig CONFIG = PtcpConfig.defaults()
            .withLimits(Duration.ofMillis(500), Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(5));

    private static CompletableFuture<PtcpSession> open(PtcpClient client, Target target) {
        return client.open(target, CONFIG, session -> {
            throw new AssertionError("a session with nobody");
        });
    }

    private static void assertUnreachable(CompletableFuture<PtcpSession> opened, String message) {
        assertThatThrownBy(() -> opened.get(10, TimeUnit.SECONDS))
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
            return InetAddress.getLoopbackAddress();
        };
        try (PtcpClient client = PtcpClient.launch("test-client", 1, silent)) {
            // when
            CompletableFuture<PtcpSession> first = open(client, Target.plain("silent.example", NOWHERE));
            CompletableFuture<PtcpSession> second = open(client, Target.plain("silent.example", NOWHERE));
            CompletableFuture<PtcpSession> other = open(client, Target.plain("127.0.0.1", NOWHERE));

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
            return InetAddress.getLoopbackAddress();
        });
        PtcpConfig patient = CONFIG.withLimits(
                Duration.ofSeconds(60), Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(5));
        CompletableFuture<PtcpSession> opened =
                client.open(Target.plain("silent.example", NOWHERE), patient, session -> {
                    throw new AssertionError("a session with nobody");
                });

        assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();

        // when
        client.close();

        // then
        assertThatThrownBy(() -> opened.get(10, TimeUnit.SECONDS))
                .cause()
                .hasMessage("silent.example:1: this end is closing");
        answer.countDown();
    }

    @Test
    void shouldConnectToWhatTheNameStandsForWhenItIsFound() {
        // given
        try (PtcpClient client =
                PtcpClient.launch("test-client", 1, host -> InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            // then
            assertUnreachable(
                    open(client, Target.plain("found.example", NOWHERE)), "found.example:1: Connection refused");
        }
    }

    @Test
    void shouldSayWhatTheSystemSaysWhenThereIsNoSuchName() {
        // given
        try (PtcpClient client = PtcpClient.launch("test-client", 1, host -> {
            throw new java.net.UnknownHostException(host + ": Name or service not known");
        })) {
            // then
            assertUnreachable(
                    open(client, Target.plain("none.example", NOWHERE)),
                    "none.example:1: none.example: Name or service not known");
        }
    }

    @Test
    void shouldLookNothingUpWhenAProxyDoes() {
        // given
        AtomicInteger asked = new AtomicInteger();
        HttpProxySession proxy = HttpProxySession.of(new HttpProxy("127.0.0.1", NOWHERE, "", ""), Runnable::run);
        try (PtcpClient client = PtcpClient.launch("test-client", 1, host -> {
            asked.incrementAndGet();
            return InetAddress.getLoopbackAddress();
        })) {
            // when
            CompletableFuture<PtcpSession> opened =
                    open(client, new Target("behind.example", 7400, Optional.empty(), Optional.of(proxy)));

            // then
            assertThatThrownBy(() -> opened.get(10, TimeUnit.SECONDS)).hasMessageContaining("behind.example:7400");
            assertThat(asked).hasValue(0);
        }
    }
}
