package io.longhaul.ptcp.contract;

import static io.longhaul.ptcp.contract.AbstractTransportContract.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.contract.AbstractTransportContract.Ends;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the acceptor says last takes longer than anything else that it does then. */
final class LastWordIT {
    private static final int CONTROL = 1;

    /** Long enough to dial other streams in vain, and shorter than the acceptor waits. */
    private static final long SLOWER_MILLIS = 300;

    private static final Duration ACCEPTORS_PATIENCE = Duration.ofSeconds(1);

    private final BehindRelayContract pair = new BehindRelayContract() {
        @Override
        PtcpConfig config() {
            return PtcpConfig.defaults().withStreams(2);
        }

        @Override
        Relay relay(int target) throws Exception {
            return new Relay(target, 100_000, 0);
        }
    };

    private final CountDownLatch gate = new CountDownLatch(1);
    private Ends ends;

    @BeforeEach
    void holdWhatTheAcceptorSays() throws Exception {
        ends = pair.connect();
        pair.relay().setWiretap((line, there, bytes) -> {
            if (line == CONTROL && !there) {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
    }

    @AfterEach
    void disconnect() throws Exception {
        gate.countDown();
        pair.disconnect();
        pair.closeRelay();
    }

    private static void awaitClosed(ByteStream end) throws InterruptedException {
        assertThat(end.received().closed().await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    private void assertOpenerHearsItInTheEnd() throws InterruptedException {
        long startNs = System.nanoTime();
        awaitClosed(ends.acceptor());
        boolean early = ends.opener().received().closed().await(SLOWER_MILLIS, TimeUnit.MILLISECONDS);
        gate.countDown();
        boolean inTime = Duration.ofNanos(System.nanoTime() - startNs).compareTo(ACCEPTORS_PATIENCE) < 0;
        awaitClosed(ends.opener());
        assumeTrue(inTime, "the last word was slower than the acceptor waits: this machine is too busy");
        assertThat(early).isFalse();
    }

    @Test
    void shouldCloseInOrderWhenTheLastWordIsSlow() throws Exception {
        // when
        ends.opener().close();

        // then
        assertOpenerHearsItInTheEnd();
        assertThat(ends.acceptor().received().cause()).isNull();
        assertThat(ends.opener().received().cause()).isNull();
    }

    @Test
    void shouldSayWhyItWasAbortedWhenTheLastWordIsSlow() throws Exception {
        // when
        ((PtcpEnd) ends.acceptor()).session().abort("enough");

        // then
        assertOpenerHearsItInTheEnd();
        assertThat(ends.opener().received().cause())
                .hasMessage("the other end aborted the session: enough")
                .isInstanceOfSatisfying(
                        PtcpException.class, e -> assertThat(e.code()).isEqualTo(PtcpException.Code.ABORTED));
    }
}
