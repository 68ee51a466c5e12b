package io.longhaul.ptcp.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.contract.Relay;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Set;
import java.util.TreeSet;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Artemis clients that reconnect: what the server acknowledged is there, whatever happened to connections and server. */
@Timeout(120)
class PtcpReconnectIT {
    private static final String QUEUE = "queue";
    private static final int LENGTH = 10_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Lets a session without streams be lost within a test. */
    private static final Duration SOON = Duration.ofSeconds(2);

    @TempDir
    private Path data;

    private EmbeddedBroker broker;
    private Relay relay;
    private CoreClient client;
    private ClientSession sending;
    private ClientProducer producer;
    private ClientConsumer consumer;
    private Failures failures;
    private final Set<Integer> acknowledged = new TreeSet<>();
    private final Set<Integer> received = new TreeSet<>();

    /** Starts a broker whose sessions live so long without any stream, and connects. */
    private void start(Duration restore) throws Exception {
        broker = EmbeddedBroker.of(data, restore).start().withQueue(QUEUE);
        relay = new Relay(broker.port(), 64 * 1024, 0);
        client = CoreClient.persistent(relay.port());
        sending = client.session();
        failures = Failures.of(sending);
        producer = sending.createProducer(QUEUE);
        consumer = client.session().createConsumer(QUEUE);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        relay.close();
        broker.close();
    }

    /** Sends and receives a few; what fails to be sent is tried again under the same number. */
    private void exchange(int from, int count) throws ActiveMQException {
        for (int i = from; i < from + count; i++) {
            while (!acknowledged.contains(i)) {
                try {
                    CoreClient.send(sending, producer, i, LENGTH);
                    acknowledged.add(i);
                } catch (ActiveMQException e) {
                    // whether it arrived is unknown: the next round tells
                }
            }
        }
        receive();
    }

    private void receive() throws ActiveMQException {
        int number = CoreClient.receive(consumer, 1);
        while (number >= 0) {
            received.add(number);
            number = CoreClient.receive(consumer, 1);
        }
    }

    /** What the server had given to a connection that died comes again once the server knows of its death. */
    private void awaitAll() {
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            receive();
            assertThat(received).isEqualTo(acknowledged);
            assertThat(broker.queue(QUEUE).getMessageCount()).isZero();
        });
    }

    private void resetAll() {
        new ArrayList<>(relay.lines()).forEach(Relay.Line::reset);
    }

    @Test
    void shouldNotEvenTellArtemisWhenAllStreamsAreCutAndComeBack() throws Exception {
        // given
        start(Duration.ofSeconds(10));

        // when
        for (int round = 0; round < 5; round++) {
            exchange(20 * round, 20);
            resetAll();
        }
        exchange(100, 20);

        // then
        awaitAll();
        assertThat(failures.lost()).isEmpty();
    }

    @Test
    void shouldLoseNothingWhenAllStreamsAreCutForAWhile() throws Exception {
        // given
        start(SOON);

        // when
        for (int round = 0; round < 3; round++) {
            exchange(20 * round, 20);
            int before = failures.lost().size();
            relay.setRefusing(true);
            resetAll();
            Awaitility.await().atMost(PATIENCE).until(() -> failures.lost().size() > before);
            relay.setRefusing(false);
        }
        exchange(60, 20);

        // then
        awaitAll();
        assertThat(failures.lost()).hasSizeGreaterThanOrEqualTo(3);
        assertThat(failures.told()).hasSizeGreaterThanOrEqualTo(3);
        assertThat(acknowledged).hasSize(80);
    }

    @Test
    void shouldLoseNothingWhenTheServerIsStartedAgain() throws Exception {
        // given
        start(SOON);
        exchange(0, 20);
        CoreClient.send(client.session(), QUEUE, 20, 20, LENGTH);
        for (int i = 20; i < 40; i++) {
            acknowledged.add(i);
        }

        // when
        broker.stop();
        broker.start().withQueue(QUEUE);
        exchange(40, 20);

        // then
        awaitAll();
        assertThat(failures.lost()).isNotEmpty();
        assertThat(failures.told()).isNotEmpty();
    }
}
