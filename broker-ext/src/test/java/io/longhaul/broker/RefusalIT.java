package io.longhaul.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.wire.OrderStamp;
import io.longhaul.wire.Refusals;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RefusalIT {
    private static final String TRANSFER = "0123456789abcdef0123456789abcdef";

    @TempDir
    Path data;

    private Broker broker;
    private Client client;

    @BeforeEach
    void launch() throws Exception {
        broker = Broker.launch(BrokerConfig.of("one", data).withListenCoreOnly("127.0.0.1:0"));
        client = Client.connect(broker.corePort());
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        broker.close();
    }

    @Test
    void shouldRefuseFrameWhenTopicHasNoSubscriptionAndTakeItOnceItHas() throws Exception {
        // given
        ClientMessage piece = client.message("piece", TRANSFER, 0, new byte[1000]);

        // when then
        assertThatThrownBy(() -> client.sendAndWait("lh.topic.t", piece))
                .isInstanceOf(ExecutionException.class)
                .satisfies(e -> assertThat(Refusals.detail(Refusals.NO_SUBSCRIPTION, e.getCause()))
                        .hasValue("topic t has no subscription"));

        // when
        try (Client subscriber = Client.connect(broker.corePort()).subscription("t", "s");
                ClientConsumer consumer = subscriber.session.createConsumer("lh.sub.t@s")) {
            client.sendAndWait("lh.topic.t", client.message("piece", TRANSFER, 0, new byte[1000]));

            // then
            Client.next(consumer);
        }
    }

    @Test
    void shouldRefuseFrameWhenLargerThanAnyPiece() throws Exception {
        // given
        client.subscription("t", "s");

        // when
        CompletableFuture<Void> outcome =
                client.send("lh.topic.t", client.message("piece", TRANSFER, 0, new byte[5 * 1024 * 1024]));

        // then
        assertThatThrownBy(() -> outcome.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                .satisfies(e -> assertThat(Refusals.says(Refusals.BAD_FRAME, e.getCause()))
                        .isTrue());
    }

    /** Or anybody could keep what he likes at an archive, for ever. */
    @Test
    void shouldRefuseARequestForPromisesOfAnAgent() throws Exception {
        // given
        client.session.createQueue(QueueConfiguration.of("lh.holders.t@archive")
                .setAddress("lh.holders.t")
                .setRoutingType(RoutingType.MULTICAST)
                .setDurable(false));

        // when then
        client.sendAndWait("lh.holders.t", client.message("repair-query", TRANSFER, 0, new byte[10]));
        assertThatThrownBy(() ->
                        client.sendAndWait("lh.holders.t", client.message("lease-request", TRANSFER, 0, new byte[10])))
                .satisfies(e -> assertThat(Refusals.says(Refusals.BAD_FRAME, e.getCause()))
                        .isTrue());
    }

    @Test
    void shouldStampManifestsInOrderWhenSentByTwoClients() throws Exception {
        // given
        client.subscription("t", "s");
        long before = -1;
        try (Client other = Client.connect(broker.corePort());
                ClientConsumer consumer = client.session.createConsumer("lh.sub.t@s")) {
            for (int i = 0; i < 10; i++) {
                Client sender = i % 2 == 0 ? client : other;
                ClientMessage manifest =
                        sender.message("manifest", TRANSFER.replace('0', (char) ('a' + i % 6)), i, new byte[10]);
                manifest.putLongProperty("lh_order", Long.MAX_VALUE);
                manifest.putIntProperty("lh_order_crc", 1);

                // when
                sender.sendAndWait("lh.topic.t", manifest);

                // then
                ClientMessage stamped = Client.next(consumer);
                long order = stamped.getLongProperty("lh_order");
                assertThat(order).isGreaterThan(before).isLessThan(Long.MAX_VALUE);
                assertThat(stamped.getIntProperty("lh_order_crc")).isEqualTo(OrderStamp.crc(order));
                before = order;
            }
        }
    }

    @Test
    void shouldEvictPredecessorInOrderWhenTheSameOwnerReturns() throws Exception {
        // given
        client.subscription("t", "s");
        for (int i = 0; i < 10; i++) {
            client.sendAndWait("lh.topic.t", client.message("piece", TRANSFER, i, new byte[1000]));
        }
        Client first = Client.connect(broker.corePort()).owner("agent-1");
        ClientConsumer stopped = first.session.createConsumer("lh.sub.t@s");
        ClientMessage delivered = Client.next(stopped);
        assertThat(delivered.getLongProperty("lh_index")).isZero();

        // when
        try (Client second = Client.connect(broker.corePort()).owner("agent-1")) {
            ClientConsumer consumer = second.session.createConsumer("lh.sub.t@s");

            // then
            for (int i = 0; i < 10; i++) {
                assertThat(Client.next(consumer).getLongProperty("lh_index")).isEqualTo(i);
            }
        }
        first.close();
    }

    @Test
    void shouldRefuseConsumerWhenAnotherOwnerIsAlive() throws Exception {
        // given
        client.subscription("t", "s");
        try (Client first = Client.connect(broker.corePort()).owner("agent-1");
                Client second = Client.connect(broker.corePort()).owner("agent-2")) {
            ClientConsumer consumer = first.session.createConsumer("lh.sub.t@s");

            // when then
            assertThatThrownBy(() -> second.session.createConsumer("lh.sub.t@s"))
                    .satisfies(e ->
                            assertThat(Refusals.says(Refusals.NAME_IN_USE, e)).isTrue())
                    .hasMessageContaining("subscription s of topic t is in use by a live session");

            // then
            client.sendAndWait("lh.topic.t", client.message("piece", TRANSFER, 0, new byte[1000]));
            Client.next(consumer);
        }
    }
}
