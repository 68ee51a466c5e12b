package io.longhaul.broker;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.wire.Envelope;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.LeaseGrant;
import io.longhaul.wire.LeaseRequest;
import io.longhaul.wire.TransferId;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BacklogIT {
    private static final String TRANSFER = "0123456789abcdef0123456789abcdef";
    private static final int MIB = 1024 * 1024;

    @TempDir
    Path data;

    private Broker broker;
    private Client client;

    @BeforeEach
    void launch() throws Exception {
        broker = Broker.launch(config());
        client = Client.connect(broker.corePort()).subscription("t", "dead").subscription("t", "live");
    }

    private BrokerConfig config() {
        return BrokerConfig.of("one", data).withListenCoreOnly("127.0.0.1:0").withBacklogLimit(64 * MIB);
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        broker.close();
    }

    /** Sends a transfer of so many pieces while "live" takes everything and "dead" nothing. */
    private void publish(int pieces) throws Exception {
        try (Client subscriber = Client.connect(broker.corePort());
                ClientConsumer live = subscriber.session.createConsumer("lh.sub.t@live")) {
            Deque<CompletableFuture<Void>> window = new ArrayDeque<>();
            window.add(client.send("lh.topic.t", client.message("manifest", TRANSFER, 0, new byte[300])));
            for (int i = 0; i < pieces; i++) {
                window.add(client.send("lh.topic.t", client.message("piece", TRANSFER, i, new byte[MIB])));
                if (window.size() > 16) {
                    window.remove().get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
                    Client.next(live).acknowledge();
                }
            }
            window.add(client.send("lh.topic.t", client.message("seal", TRANSFER, 0, new byte[300])));
            for (CompletableFuture<Void> rest : window) {
                rest.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
                Client.next(live).acknowledge();
            }
        }
    }

    private BrokerSnapshot.SubscriptionSnapshot dead() {
        return broker.snapshot().subscriptions().stream()
                .filter(each -> each.name().equals("dead"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldDropWhatIsLeasedAndFreeThePagesWhenBacklogExceedsItsLimit() throws Exception {
        // given
        int pieces = 400;
        Holder holder = new Holder(300);
        publish(pieces);

        // when
        holder.answer(1);

        // then
        await().untilAsserted(() -> {
            assertThat(dead().droppedPieces()).isEqualTo(300);
            assertThat(dead().droppedBytes()).isEqualTo(300L * MIB);
            assertThat(dead().backlogBytes()).isBetween(100L * MIB, 101L * MIB);
            assertThat(Pages.bytes(data)).isLessThan(180L * MIB);
        });
        holder.close();

        // when
        broker.close();
        broker = Broker.launch(config());

        // then
        List<String> types = new ArrayList<>();
        try (Client subscriber = Client.connect(broker.corePort());
                ClientConsumer consumer = subscriber.session.createConsumer("lh.sub.t@dead")) {
            for (int i = 0; i < 102; i++) {
                ClientMessage message = Client.next(consumer);
                types.add(message.getStringProperty("lh_type"));
                if (types.get(i).equals("piece")) {
                    assertThat(message.getLongProperty("lh_index")).isGreaterThanOrEqualTo(300);
                }
                message.acknowledge();
            }
            assertThat(types).contains("manifest", "seal");
            assertThat(consumer.receive(300)).isNull();
        }
        await().untilAsserted(() -> assertThat(Pages.bytes(data)).isLessThan(MIB));
    }

    @Test
    void shouldDropNothingWhenNobodyLeases() throws Exception {
        // given
        Holder holder = new Holder(0);

        // when
        publish(100);

        // then
        holder.await(2);
        assertThat(dead().droppedPieces()).isZero();
        assertThat(dead().backlogFrames()).isEqualTo(102);
        holder.close();
    }

    /** Stands for an agent that leases the pieces below an index. */
    private final class Holder implements AutoCloseable {
        private final Client holder;
        private final ClientConsumer consumer;
        private final long through;

        Holder(long through) throws Exception {
            this.through = through;
            holder = Client.connect(broker.corePort());
            holder.session.createQueue(QueueConfiguration.of("lh.holders.t@archive")
                    .setAddress("lh.holders.t")
                    .setRoutingType(RoutingType.MULTICAST)
                    .setDurable(false));
            consumer = holder.session.createConsumer("lh.holders.t@archive");
        }

        LeaseRequest await(int requests) throws Exception {
            LeaseRequest last = null;
            for (int i = 0; i < requests; i++) {
                ClientMessage message = Client.next(consumer);
                message.acknowledge();
                last = (LeaseRequest) FrameCodec.decode(envelope(message));
            }
            return last;
        }

        void answer(int requests) throws Exception {
            LeaseRequest request = await(requests);
            assertThat(request.transfers()).containsExactly(TransferId.parse(TRANSFER));
            assertThat(request.subscription()).isEqualTo("dead");
            try (Client sender = Client.connect(broker.corePort())) {
                send(sender, new LeaseGrant("guessed", TransferId.parse(TRANSFER), "dead", "thief", Long.MAX_VALUE));
                send(sender, new LeaseGrant(request.request(), TransferId.parse(TRANSFER), "dead", "archive", through));
            }
        }

        private void send(Client sender, LeaseGrant grant) throws Exception {
            Envelope envelope = FrameCodec.encode(grant);
            byte[] body = new byte[envelope.body().remaining()];
            envelope.body().get(body);
            ClientMessage message = sender.session.createMessage(true);
            envelope.properties().forEach((name, value) -> message.putObjectProperty(SimpleString.of(name), value));
            message.getBodyBuffer().writeBytes(body);
            sender.sendAndWait("lh.broker", message);
        }

        private Envelope envelope(ClientMessage message) {
            Map<String, Object> properties = new HashMap<>();
            for (SimpleString name : message.getPropertyNames()) {
                Object value = message.getObjectProperty(name);
                properties.put(name.toString(), value instanceof SimpleString text ? text.toString() : value);
            }
            byte[] body = new byte[message.getBodySize()];
            message.getBodyBuffer().readBytes(body);
            return new Envelope(properties, ByteBuffer.wrap(body));
        }

        @Override
        public void close() {
            holder.close();
        }
    }
}
