package io.longhaul.broker.witness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.longhaul.broker.Patience;
import io.longhaul.broker.witness.WitnessFrame.Operation;
import io.longhaul.broker.witness.WitnessFrame.Outcome;
import io.longhaul.broker.witness.WitnessFrame.Reason;
import io.longhaul.broker.witness.WitnessFrame.Refused;
import io.longhaul.ptcp.net.PtcpClient;
import io.longhaul.ptcp.net.PtcpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who says no to a broker of a pair: the witness, or something on the way to it. */
class WitnessRefusalIT {
    private static final Refused WRONG = new Refused(Reason.LOGIN, "unknown user or wrong password");

    @TempDir
    private Path data;

    private final PtcpClient sessions = PtcpClient.launch("asker", 1);
    private volatile Optional<Refused> objection = Optional.empty();
    private volatile boolean changed;
    private PtcpServer witness;
    private WitnessClient client;

    @BeforeEach
    void open() throws IOException {
        WitnessDoor.Rights rights = new WitnessDoor.Rights() {
            @Override
            public Optional<Refused> objection(String user, String password, String from) {
                return objection;
            }

            @Override
            public BooleanSupplier unchanged(String user) {
                return () -> !changed;
            }
        };
        witness = WitnessServer.launch(data, rights, Runnable::run);
        client = client(witness.port());
    }

    private WitnessClient client(int port) {
        return new WitnessClient(sessions, () -> PtcpClient.Target.plain("127.0.0.1", port), "site-b", "secret");
    }

    @AfterEach
    void close() {
        client.close();
        witness.close();
        sessions.close();
    }

    private static WitnessException failure(WitnessClient asking) {
        return catchThrowableOfType(WitnessException.class, () -> asking.ask(Operation.GET, "pair", "node", 0, 0));
    }

    /** As forwarders and load balancers do while the witness behind them is down. */
    @Test
    void shouldAskAgainLaterWhenWhatIsOnTheWayClosesWithoutAWord() throws Exception {
        // given
        ExecutorService forwarder = Executors.newSingleThreadExecutor();
        try (ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Future<byte[]> closing = forwarder.submit(() -> {
                try (Socket arrived = listening.accept()) {
                    arrived.shutdownOutput();
                    return arrived.getInputStream().readAllBytes();
                }
            });

            // when
            WitnessException failure = failure(client(listening.getLocalPort()));

            // then
            assertThat(failure.kind()).isEqualTo(WitnessException.Kind.DENIED);
            assertThat(failure.isPassing()).isTrue();
            closing.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        } finally {
            forwarder.shutdownNow();
        }
    }

    @Test
    void shouldTakeAWrongLoginForFinalAtFirstAndForPassingOnceItWasLetIn() throws Exception {
        // given
        objection = Optional.of(WRONG);
        assertThat(failure(client).kind()).isEqualTo(WitnessException.Kind.REFUSED);
        objection = Optional.empty();
        assertThat(client.ask(Operation.GET, "pair", "node", 0, 0).outcome()).isEqualTo(Outcome.DONE);

        // when
        objection = Optional.of(WRONG);
        changed = true;

        // then
        Patience.await().untilAsserted(() -> assertThat(failure(client)).hasMessage(WRONG.text()));
        assertThat(failure(client).kind()).isEqualTo(WitnessException.Kind.DENIED);
    }

    @Test
    void shouldAskAgainLaterWhenItsLoginWasNotLookedAt() {
        // when
        objection = Optional.of(new Refused(Reason.LATER, "too many logins have failed"));

        // then
        assertThat(failure(client))
                .hasMessage("too many logins have failed")
                .extracting(WitnessException::kind)
                .isEqualTo(WitnessException.Kind.DENIED);
    }
}
