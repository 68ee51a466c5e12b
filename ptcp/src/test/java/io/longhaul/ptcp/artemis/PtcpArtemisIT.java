package io.longhaul.ptcp.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.net.Patience;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.spi.core.remoting.Connector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plain core clients and an Artemis server that know nothing of Longhaul but its transport. */
@Timeout(120)
class PtcpArtemisIT {
    private static final String QUEUE = "queue";

    @TempDir
    private Path data;

    private EmbeddedBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedBroker.of(data).start().withQueue(QUEUE);
    }

    @AfterEach
    void stop() throws Exception {
        broker.close();
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1024, 300", "1048576, 30"})
    void shouldDeliverInOrderWhenMessagesHaveAnyLength(int length, int count) throws Exception {
        try (CoreClient client = CoreClient.once(broker.port())) {
            // when
            CoreClient.send(client.session(), QUEUE, 0, count, length);

            // then
            ClientConsumer consumer = client.session().createConsumer(QUEUE);
            for (int i = 0; i < count; i++) {
                assertThat(CoreClient.receive(consumer)).isEqualTo(i);
            }
            Patience.await().until(() -> broker.queue(QUEUE).getMessageCount() == 0);
        }
    }

    /** A client that is not to connect again leaves threads and files of a lost connection to whoever made it. */
    @Test
    void shouldEndTheConnectorWhenItsConnectionIsLost() throws Exception {
        try (CoreClient client = CoreClient.once(broker.port())) {
            // given
            Connector connector = client.connector();
            assertThat(connector.isStarted()).isTrue();

            // when
            broker.stop();

            // then
            Patience.await().until(() -> !connector.isStarted());
            assertThat(broker.told()).as("of an end in order").isEmpty();
        }
    }

    @Test
    void shouldShowMessagesOnlyWhenTheirTransactionIsCommitted() throws Exception {
        try (CoreClient client = CoreClient.once(broker.port())) {
            // given
            ClientSession transacted = client.session(false);
            ClientConsumer consumer = client.session().createConsumer(QUEUE);

            // when
            CoreClient.send(transacted, QUEUE, 0, 10, 100_000);
            transacted.rollback();
            CoreClient.send(transacted, QUEUE, 10, 10, 100_000);

            // then
            assertThat(CoreClient.receive(consumer, 200)).isEqualTo(-1);
            transacted.commit();
            for (int i = 10; i < 20; i++) {
                assertThat(CoreClient.receive(consumer)).isEqualTo(i);
            }
        }
    }

    @Test
    void shouldDeliverAgainWhenTheConsumersTransactionIsRolledBack() throws Exception {
        try (CoreClient client = CoreClient.once(broker.port())) {
            // given
            CoreClient.send(client.session(), QUEUE, 7, 1, 1000);
            ClientSession transacted = client.session(false);
            ClientConsumer consumer = transacted.createConsumer(QUEUE);
            assertThat(CoreClient.receive(consumer)).isEqualTo(7);

            // when
            transacted.rollback();

            // then
            assertThat(CoreClient.receive(consumer)).isEqualTo(7);
            transacted.commit();
            Patience.await().until(() -> broker.queue(QUEUE).getMessageCount() == 0);
        }
    }

    @Test
    void shouldGiveEachMessageToOneConsumerWhenTwoClientsHaveManyConsumers() throws Exception {
        // given
        int count = 300;
        Set<Integer> numbers = ConcurrentHashMap.newKeySet();
        List<Callable<Integer>> tasks = new ArrayList<>();
        try (CoreClient one = CoreClient.once(broker.port());
                CoreClient two = CoreClient.once(broker.port())) {
            for (int i = 0; i < 20; i++) {
                ClientConsumer consumer = (i % 2 == 0 ? one : two).session().createConsumer(QUEUE);
                tasks.add(() -> drain(consumer, numbers, count));
            }
            tasks.add(() -> sendAll(one.session(), 0, count / 2));
            tasks.add(() -> sendAll(two.session(), count / 2, count / 2));

            // when
            int received = 0;
            ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
            for (Future<Integer> each : threads.invokeAll(tasks)) {
                received += each.get();
            }
            threads.shutdown();

            // then
            assertThat(received).isEqualTo(count);
            assertThat(numbers).hasSize(count);
        }
    }

    private static int sendAll(ClientSession session, int from, int count) throws ActiveMQException {
        CoreClient.send(session, QUEUE, from, count, 20_000);
        return 0;
    }

    private static int drain(ClientConsumer consumer, Set<Integer> numbers, int all) throws ActiveMQException {
        int received = 0;
        while (numbers.size() < all) {
            int number = CoreClient.receive(consumer, 50);
            if (number >= 0) {
                numbers.add(number);
                received++;
            }
        }
        return received;
    }

    @Test
    void shouldTellListenersOnceAndCloseWhenTheServerStops() throws Exception {
        // given
        CoreClient client = CoreClient.once(broker.port());
        ClientSession session = client.session();
        Failures failures = Failures.of(session);
        ClientProducer producer = session.createProducer(QUEUE);
        CoreClient.send(session, producer, 0, 1000);

        // when
        broker.stop();

        // then
        Patience.await().untilAsserted(() -> assertThat(failures.told()).hasSize(1));
        Patience.await().until(session::isClosed);
        assertThatThrownBy(() -> CoreClient.send(session, producer, 1, 1000)).isInstanceOf(ActiveMQException.class);
        client.close();
        assertThat(failures.told()).hasSize(1);
    }

    @Test
    void shouldForgetTheConnectionWhenTheClientCloses() throws Exception {
        // given
        CoreClient client = CoreClient.once(broker.port());
        ClientSession session = client.session();
        Failures failures = Failures.of(session);
        assertThat(broker.server().getRemotingService().getConnections()).hasSize(1);

        // when
        client.close();

        // then
        Patience.await()
                .until(() ->
                        broker.server().getRemotingService().getConnections().isEmpty());
        assertThat(broker.server().getSessions()).isEmpty();
        assertThat(failures.told()).isEmpty();
    }

    @Test
    void shouldTakeALargeMessageThatNeitherHeapCanHold() throws Exception {
        // when
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + LargeMessage.HEAP_MIB + "m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LargeMessage.class.getName(),
                        data.resolve("large").toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes());

        // then
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(said).endsWith("same bytes: true\n");
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void shouldServeManyConnectionsOneAfterTheOther() throws Exception {
        // when
        for (int i : IntStream.range(0, 10).toArray()) {
            try (CoreClient client = CoreClient.once(broker.port())) {
                CoreClient.send(client.session(), QUEUE, i, 1, 10);
            }
        }

        // then
        Patience.await()
                .untilAsserted(
                        () -> assertThat(broker.queue(QUEUE).getMessageCount()).isEqualTo(10));
        Patience.await()
                .until(() ->
                        broker.server().getRemotingService().getConnections().isEmpty());
    }
}
