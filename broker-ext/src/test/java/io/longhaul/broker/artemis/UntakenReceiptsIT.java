package io.longhaul.broker.artemis;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.Patience;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.TransferId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.remoting.impl.invm.InVMAcceptorFactory;
import org.apache.activemq.artemis.core.remoting.impl.invm.InVMConnectorFactory;
import org.apache.activemq.artemis.core.security.SecurityAuth;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Queues of receipts in memory and in pages, consumed and not. */
class UntakenReceiptsIT {
    private static final String TOPIC = "lh.receipts.t";
    private static final String PAGED = "lh.receipts.paged";
    private static final String AGENT = TOPIC + "@agent";
    private static final int LIMIT = 100_000; // fewer than 200 receipts, more than 50
    private static final int PAGE_BYTES = 64 * 1024;

    @TempDir
    Path directory;

    private ActiveMQServer server;
    private ServerLocator locator;
    private ClientSession session;
    private UntakenReceipts untaken;
    private long nowNs = Long.MAX_VALUE - Duration.ofMinutes(30).toNanos(); // passes the end
    private long sent;
    private volatile BeforeRemoval beforeRemoval = () -> {};

    private interface BeforeRemoval {
        void run() throws ActiveMQException;
    }

    @BeforeEach
    void start() throws Exception {
        server = ActiveMQServers.newActiveMQServer(
                new ConfigurationImpl()
                        .setSecurityEnabled(false)
                        .setJournalDirectory(directory.resolve("journal").toString())
                        .setBindingsDirectory(directory.resolve("bindings").toString())
                        .setPagingDirectory(directory.resolve("paging").toString())
                        .setLargeMessagesDirectory(directory.resolve("large").toString())
                        .setNodeManagerLockDirectory(directory.resolve("node").toString())
                        .addAcceptorConfiguration(new TransportConfiguration(InVMAcceptorFactory.class.getName()))
                        .addAddressSetting("#", new AddressSettings())
                        .addAddressSetting(
                                PAGED,
                                new AddressSettings()
                                        .setAddressFullMessagePolicy(AddressFullMessagePolicy.PAGE)
                                        .setMaxSizeBytes(PAGE_BYTES)
                                        .setPageSizeBytes(PAGE_BYTES)),
                true);
        server.registerBrokerPlugin(new ActiveMQServerPlugin() {
            @Override
            public void beforeDestroyQueue(
                    Queue queue, SecurityAuth user, boolean check, boolean consumers, boolean address)
                    throws ActiveMQException {
                beforeRemoval.run();
            }
        });
        server.start();
        locator = ActiveMQClient.createServerLocatorWithoutHA(
                new TransportConfiguration(InVMConnectorFactory.class.getName()));
        session = locator.createSessionFactory().createSession(true, true, 0);
        session.start();
        untaken = new UntakenReceipts(
                server,
                LIMIT,
                () -> nowNs,
                new QuietLog(LoggerFactory.getLogger(UntakenReceiptsIT.class), () -> nowNs));
    }

    @AfterEach
    void stop() throws Exception {
        locator.close();
        server.stop();
    }

    private Queue queue(String name, String address) throws Exception {
        return server.createQueue(QueueConfiguration.of(name)
                .setAddress(address)
                .setRoutingType(RoutingType.MULTICAST)
                .setDurable(true)
                .setAutoDelete(false));
    }

    private void send(String address, int count, Queue... into) throws Exception {
        List<Long> expected = new ArrayList<>();
        for (Queue queue : into) {
            expected.add(queue.getMessageCount() + count);
        }
        for (int i = 0; i < count; i++) {
            Receipt receipt = new Receipt(
                    new TransferId(1, sent++),
                    "t",
                    "s",
                    "a",
                    Receipt.Outcome.DELIVERED,
                    1,
                    "a".repeat(64),
                    "f".repeat(200),
                    1,
                    "",
                    Optional.empty());
            Message message = FrameProperties.passing(server.getStorageManager().generateID(), address, receipt);
            server.getPostOffice().route(message.setDurable(true), false);
        }
        for (int i = 0; i < into.length; i++) {
            Queue queue = into[i];
            long all = expected.get(i);
            await().untilAsserted(() -> assertThat(queue.getMessageCount()).isEqualTo(all));
        }
    }

    private void pass(Duration time) {
        nowNs += time.toNanos();
        untaken.look();
    }

    private boolean isThere(String queue) {
        return server.locateQueue(SimpleString.of(queue)) != null;
    }

    /** Returns the numbers of the receipts that somebody who comes now takes, in their order. */
    private List<Long> take(Queue queue) throws Exception {
        long count = queue.getMessageCount();
        List<Long> taken = new ArrayList<>();
        try (ClientConsumer consumer = session.createConsumer(queue.getName())) {
            ClientMessage message = consumer.receive(Patience.LIMIT.toMillis());
            while (message != null) {
                message.acknowledge();
                taken.add(((Receipt) FrameProperties.decode(message)).transfer().low());
                message = taken.size() < count
                        ? consumer.receive(Patience.LIMIT.toMillis())
                        : consumer.receiveImmediate();
            }
        }
        return taken;
    }

    private static List<Long> numbers(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    @Test
    void shouldRemoveAQueueWhenNobodyHasConsumedItForAnHourAndItHoldsTooMuch() throws Exception {
        // given
        Queue agent = queue(AGENT, TOPIC);
        send(TOPIC, 200, agent);
        untaken.look();

        // when
        pass(Duration.ofMinutes(59));

        // then
        assertThat(take(agent)).isEqualTo(numbers(0, 200));

        // given
        send(TOPIC, 200, agent);
        untaken.look();
        pass(Duration.ofMinutes(59));
        assertThat(isThere(AGENT)).isTrue();
        assertThat(untaken.figures()).isEqualTo(new Tally.Untaken(0, 0));

        // when
        pass(Duration.ofMinutes(1));

        // then
        assertThat(isThere(AGENT)).isFalse();
        assertThat(untaken.figures()).isEqualTo(new Tally.Untaken(0, 200));
    }

    @Test
    void shouldFreePagesAndGiveWhoComesBackWhatIsSentFromThenOn() throws Exception {
        // given
        String name = PAGED + "@agent";
        Queue before = queue(name, PAGED);
        Queue other = queue(PAGED + "@other", PAGED);
        send(PAGED, 1000, before, other);
        assertThat(before.getPageSubscription().isPaging()).isTrue();
        session.createConsumer(other.getName()).close(); // brings some into memory
        untaken.look();
        try (ClientConsumer present = session.createConsumer(other.getName())) {

            // when
            pass(Duration.ofHours(1));

            // then
            assertThat(isThere(name)).isFalse();
            assertThat(untaken.figures()).isEqualTo(new Tally.Untaken(0, 1000));
            assertThat(present.isClosed()).isFalse();
        }

        // when
        Queue after = queue(name, PAGED);
        send(PAGED, 10, after, other);

        // then
        assertThat(take(after)).isEqualTo(numbers(1000, 1010));
        assertThat(take(other)) // what a consumer gives back may come behind what pages bring meanwhile
                .containsExactlyInAnyOrderElementsOf(numbers(0, 1010));
        await().untilAsserted(() -> assertThat(server.getPagingManager()
                        .getPageStore(SimpleString.of(PAGED))
                        .getNumberOfPages())
                .as("pages")
                .isLessThan(3));
    }

    @Test
    void shouldKeepTheQueueOfWhoIsThereOrHasJustLeft() throws Exception {
        // given
        Queue agent = queue(AGENT, TOPIC);
        ClientConsumer slow = session.createConsumer(AGENT);
        send(TOPIC, 200, agent);
        untaken.look();

        // when
        pass(Duration.ofHours(3));
        slow.close();
        untaken.look();
        pass(Duration.ofMinutes(59));

        // then
        assertThat(agent.getMessageCount()).isEqualTo(200);
        assertThat(isThere(AGENT)).isTrue();

        // when
        pass(Duration.ofMinutes(1));

        // then
        assertThat(isThere(AGENT)).isFalse();
    }

    @Test
    void shouldGiveAQueueThatWasMadeAnewAnHourOfItsOwn() throws Exception {
        // given
        send(TOPIC, 200, queue(AGENT, TOPIC));
        untaken.look();
        pass(Duration.ofHours(1));
        send(TOPIC, 200, queue(AGENT, TOPIC));
        untaken.look();

        // when
        pass(Duration.ofMinutes(59));

        // then
        assertThat(isThere(AGENT)).isTrue();

        // when
        pass(Duration.ofMinutes(1));

        // then
        assertThat(isThere(AGENT)).isFalse();
    }

    @Test
    void shouldCountAReceiptOnceForAllWhoWaitAndRemoveTheFullestFirst() throws Exception {
        // given
        Queue small = queue("lh.receipts.u@gone", "lh.receipts.u");
        send("lh.receipts.u", 20, small);
        Queue first = queue("lh.receipts.t@first", TOPIC);
        send(TOPIC, 10, first);
        Queue second = queue("lh.receipts.t@second", TOPIC);
        send(TOPIC, 40, first, second);
        untaken.look();

        // when
        pass(Duration.ofDays(1000));

        // then
        assertThat(untaken.figures())
                .isEqualTo(new Tally.Untaken(first.getPersistentSize() + small.getPersistentSize(), 0));

        // when
        send(TOPIC, 150, first, second);
        pass(Duration.ofSeconds(5));

        // then
        assertThat(isThere("lh.receipts.t@first")).isFalse();
        assertThat(isThere("lh.receipts.t@second")).isFalse(); // kept the same ones
        assertThat(take(small)).isEqualTo(numbers(0, 20));
        assertThat(untaken.figures().dropped()).isEqualTo(200 + 190);
    }

    @Test
    void shouldLeaveQueuesOfLinksAndSubscriptionsAlone() throws Exception {
        // given
        Queue link = queue("lh.link.away@lh.receipts.t", TOPIC);
        Queue subscription = queue("lh.sub.t@s", "lh.topic.t");
        send(TOPIC, 200, link);
        send("lh.topic.t", 200, subscription);
        untaken.look();

        // when
        pass(Duration.ofHours(1));

        // then
        assertThat(link.getMessageCount()).isEqualTo(200);
        assertThat(subscription.getMessageCount()).isEqualTo(200);
        assertThat(untaken.figures()).isEqualTo(new Tally.Untaken(0, 0));
    }

    @Test
    void shouldHaveWhoComesDuringTheRemovalOpenAQueueAnew() throws Exception {
        // given
        send(TOPIC, 200, queue(AGENT, TOPIC));
        untaken.look();
        List<ClientConsumer> late = new CopyOnWriteArrayList<>();
        beforeRemoval = () -> late.add(session.createConsumer(AGENT));

        // when
        pass(Duration.ofHours(1));

        // then
        assertThat(isThere(AGENT)).isFalse();
        assertThat(late).hasSize(1);
        await().until(() -> late.get(0).isClosed());
    }

    @Test
    void shouldLookOnAThreadOfTheServers() throws Exception {
        // given
        Queue agent = queue(AGENT, TOPIC);
        send(TOPIC, 200, agent);
        untaken.look();
        nowNs += Duration.ofHours(1).toNanos();

        // when
        await().until(() -> {
            untaken.round();
            return !isThere(AGENT);
        });

        // then
        await().untilAsserted(() -> assertThat(untaken.figures()).isEqualTo(new Tally.Untaken(0, 200)));
    }

    @Test
    void shouldTryAgainWhenAQueueCannotBeRemoved() throws Exception {
        // given
        send(TOPIC, 200, queue(AGENT, TOPIC));
        untaken.look();
        beforeRemoval = () -> {
            throw new ActiveMQException("the disk failed");
        };

        // when
        pass(Duration.ofHours(1));

        // then
        assertThat(isThere(AGENT)).isTrue();
        assertThat(untaken.figures().bytes()).isGreaterThan(LIMIT);
        assertThat(untaken.figures().dropped()).isZero();

        // when
        beforeRemoval = () -> {};
        pass(Duration.ofSeconds(5));

        // then
        assertThat(isThere(AGENT)).isFalse();
        assertThat(untaken.figures()).isEqualTo(new Tally.Untaken(0, 200));
    }
}
