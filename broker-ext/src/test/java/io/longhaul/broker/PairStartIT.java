package io.longhaul.broker;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.witness.WitnessDoor;
import io.longhaul.broker.witness.WitnessFrame.Refused;
import io.longhaul.broker.witness.WitnessServer;
import io.longhaul.ptcp.net.PtcpServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker of a pair is started while its witness falls silent. */
class PairStartIT {
    private static final WitnessDoor.Rights ANYBODY = new WitnessDoor.Rights() {
        @Override
        public Optional<Refused> objection(String user, String password, String host) {
            return Optional.empty();
        }

        @Override
        public BooleanSupplier unchanged(String user) {
            return () -> true;
        }
    };

    @TempDir
    Path data;

    /** It has decided for this broker, and answers nothing of what is asked then. */
    @Test
    void shouldBeThereToBeLaunchedAnewWhenTheWitnessIsLostWhileItIsAsked() throws Exception {
        // given
        Path book = data.resolve("witness");
        Executor untilItHasDecided = task -> {
            if (!Files.exists(book)) {
                task.run();
            }
        };
        try (PtcpServer witness = WitnessServer.launch(data, ANYBODY, untilItHasDecided)) {
            BrokerConfig config = BrokerConfig.of("hub", data.resolve("hub"))
                    .withListen("127.0.0.1:" + FreePort.find())
                    .withPair(new BrokerConfig.Pairing(
                            "127.0.0.1:1", false, Optional.of("127.0.0.1:" + witness.port()), false));

            // when
            try (Broker broker = Broker.launch(config)) {
                await().until(() -> !broker.isRunning());

                // then
                assertThat(broker.role()).isEqualTo(BrokerRole.OVER);
            }
        }
    }
}
