package io.longhaul.broker;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.broker.limits.Limit;
import io.longhaul.broker.limits.QuotaFigures;
import io.longhaul.wire.Refusals;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LimitsIT {
    private static final int KIB = 1024;
    private static final String TOPIC = "lh.topic.t";

    @TempDir
    Path directory;

    private Broker launch(Limit ofEachUser, Map<String, Limit> ofTopics) {
        return Broker.launch(BrokerConfig.of("one", directory.resolve("data"))
                .withListenCoreOnly("127.0.0.1:0")
                .withLimiting(new BrokerConfig.Limiting(ofEachUser, ofTopics)));
    }

    private static String transfer(int number) {
        return String.format("%032x", number);
    }

    @Test
    void shouldTakePiecesAtOnceAndAnswerAtTheirRate() throws Exception {
        // given: a piece is more than may be used at once, however late it comes
        try (Broker broker = launch(Limit.NONE, Map.of("t", Limit.NONE.with("rate", 64 * KIB)));
                Client client = Client.connect(broker.corePort()).subscription("t", "s");
                Client subscriber = Client.connect(broker.corePort());
                ClientConsumer consumer = subscriber.session.createConsumer("lh.sub.t@s")) {
            long startNs = System.nanoTime();

            // when
            List<CompletableFuture<Void>> outcomes = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                outcomes.add(client.send(TOPIC, client.message("piece", transfer(1), i, new byte[128 * KIB])));
            }
            for (int i = 0; i < 2; i++) {
                ClientMessage message = Client.next(consumer);
                message.acknowledge();
            }
            long deliveredNs = System.nanoTime() - startNs;
            client.session.queueQuery(SimpleString.of("lh.sub.t@s"));
            long askedNs = System.nanoTime() - startNs;
            outcomes.get(1).get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
            long answeredNs = System.nanoTime() - startNs;

            // then
            assertThat(answeredNs).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(1000));
            assertThat(List.of(deliveredNs, askedNs)).allMatch(ns -> ns < answeredNs);
            assertThat(outcomes).allMatch(CompletableFuture::isDone);
            assertThat(broker.snapshot().quotas())
                    .singleElement()
                    .satisfies(topic -> assertThat(topic.delayedFrames()).isEqualTo(2));
        }
    }

    @Test
    void shouldRefuseATransferWithAllItsFramesUntilAnotherHasEnded() throws Exception {
        // given
        try (Broker broker = launch(Limit.NONE.with("transfers", 1), Map.of());
                Client client = Client.connect(broker.corePort()).subscription("t", "s")) {
            client.sendAndWait(TOPIC, client.message("manifest", transfer(1), 0, new byte[10]));

            // when
            List<String> frames = List.of("manifest", "piece", "seal");

            // then
            client.sendAndWait(TOPIC, client.message("manifest", transfer(1), 0, new byte[10]));
            for (String frame : frames) {
                assertThatThrownBy(() -> client.sendAndWait(TOPIC, client.message(frame, transfer(2), 0, new byte[10])))
                        .satisfies(e -> assertThat(Refusals.says(Refusals.QUOTA, e.getCause()))
                                .isTrue());
            }
            client.sendAndWait(TOPIC, client.message("seal", transfer(1), 0, new byte[10]));
            for (String frame : frames) {
                client.sendAndWait(TOPIC, client.message(frame, transfer(2), 0, new byte[10]));
            }
            for (String frame : frames) {
                client.sendAndWait(TOPIC, client.message(frame, transfer(1), 0, new byte[10]));
            }
            assertThat(broker.snapshot().quotas()).containsExactly(new QuotaFigures("everybody", 0, 1, 0));
        }
    }

    @Test
    void shouldRefuseATransferWhileTooMuchWaits() throws Exception {
        // given
        try (Broker broker = launch(Limit.NONE, Map.of("#", Limit.NONE.with("backlog", 100 * KIB)));
                Client client = Client.connect(broker.corePort()).subscription("t", "s");
                Client subscriber = Client.connect(broker.corePort())) {
            client.sendAndWait(TOPIC, client.message("manifest", transfer(1), 0, new byte[10]));
            client.sendAndWait(TOPIC, client.message("piece", transfer(1), 0, new byte[200 * KIB]));

            // when
            int[] number = {2};
            await().untilAsserted(() -> assertThatThrownBy(() -> client.sendAndWait(
                            TOPIC, client.message("manifest", transfer(number[0]++), 0, new byte[10])))
                    .satisfies(e -> assertThat(Refusals.detail(Refusals.QUOTA, e.getCause())
                                    .orElse(""))
                            .contains("topic # has ", "expected less than " + 100 * KIB)));
            // not on the session that was refused: Artemis may answer the next call there with that refusal
            subscriber.session.deleteQueue("lh.sub.t@s");
            subscriber.subscription("t", "s");

            // then
            await().ignoreExceptions().until(() -> {
                client.sendAndWait(TOPIC, client.message("manifest", transfer(number[0]++), 0, new byte[10]));
                return true;
            });
        }
    }
}
