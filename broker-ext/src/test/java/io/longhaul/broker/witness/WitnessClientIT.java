package io.longhaul.broker.witness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.longhaul.broker.Patience;
import io.longhaul.broker.witness.WitnessFrame.Operation;
import io.longhaul.ptcp.net.PtcpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A witness that stands still: its kernel takes connections, and nobody says anything. */
class WitnessClientIT {
    private final ExecutorService askers = Executors.newCachedThreadPool();
    private final PtcpClient sessions = PtcpClient.launch("asker", 1);
    private ServerSocket silent;
    private WitnessClient client;

    @BeforeEach
    void open() throws IOException {
        silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        client = client();
    }

    private WitnessClient client() {
        int port = silent.getLocalPort();
        return new WitnessClient(sessions, () -> PtcpClient.Target.plain("127.0.0.1", port), "", "");
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        sessions.close();
        askers.shutdownNow();
        silent.close();
    }

    private static WitnessException failure(WitnessClient asking) {
        WitnessException failure =
                catchThrowableOfType(WitnessException.class, () -> asking.ask(Operation.CLAIM, "pair", "node", 0, 0));
        assertThat(failure.kind()).isEqualTo(WitnessException.Kind.UNREACHABLE);
        return failure;
    }

    private Duration timeUntilFailure() {
        long startNs = System.nanoTime();
        failure(client);
        return Duration.ofNanos(System.nanoTime() - startNs);
    }

    @Test
    void shouldKeepNobodyWaitingForTheTryOfAnotherWhenTheWitnessStandsStill() throws Exception {
        // when
        List<Future<Duration>> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            all.add(askers.submit(this::timeUntilFailure));
        }

        // then: a try takes 2 s
        for (Future<Duration> each : all) {
            assertThat(each.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isLessThan(Duration.ofSeconds(15));
        }
    }

    /** Again where the close came later than a try takes. */
    @Test
    void shouldCloseAtOnceWhenTheWitnessStandsStill() {
        Patience.await().untilAsserted(() -> assertThat(failureWhenClosed()).hasMessage("this broker is closing"));
    }

    private WitnessException failureWhenClosed() throws Exception {
        WitnessClient asking = client();
        Future<WitnessException> asked = askers.submit(() -> failure(asking));
        try (Socket arrived = silent.accept()) {
            assertThat(arrived.isConnected()).isTrue();
            asking.close();
            return asked.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }
}
