package io.longhaul.broker.artemis;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.LeaseGrant;
import io.longhaul.wire.LeaseRequest;
import io.longhaul.wire.TransferId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.utils.collections.LinkedListIterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A subscription that takes nothing, of whose first transfer nobody has anything any more. */
class BacklogKeeperIT {
    private static final TransferId UNHELD = new TransferId(1, 1);
    private static final TransferId HELD = new TransferId(1, 2);
    private static final int LIMIT = 50_000;
    private static final int PIECES = 8; // of 10,000 bytes: more than the limit

    private ActiveMQServer server;
    private BacklogKeeper keeper;
    private Queue backlog;
    private Queue asked;
    private long nowNs = 1;

    @BeforeEach
    void start() throws Exception {
        server = ActiveMQServers.newActiveMQServer(
                new ConfigurationImpl()
                        .setName("b")
                        .setPersistenceEnabled(false)
                        .setSecurityEnabled(false),
                false);
        server.start();
        backlog = queue("lh.sub.t@s", "lh.topic.t");
        asked = queue("lh.holders.t@h", "lh.holders.t");
        queue("lh.broker.b", "lh.broker.b");
        keeper = new BacklogKeeper(server, LIMIT, new Behind(), () -> nowNs, new Random(1));
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private Queue queue(String name, String address) throws Exception {
        return server.createQueue(
                QueueConfiguration.of(name).setAddress(address).setRoutingType(RoutingType.MULTICAST));
    }

    private void publish(TransferId transfer) throws Exception {
        int before = browse(backlog).size();
        for (int i = 0; i < PIECES; i++) {
            Message piece = new CoreMessage(server.getStorageManager().generateID(), 11_000)
                    .setAddress("lh.topic.t")
                    .setDurable(true);
            piece.putStringProperty(SimpleString.of(FrameCodec.TYPE), SimpleString.of("piece"));
            piece.putStringProperty(SimpleString.of(FrameCodec.TRANSFER), SimpleString.of(transfer.toString()));
            piece.putLongProperty(SimpleString.of(FrameCodec.INDEX), i);
            piece.toCore().getBodyBuffer().writeBytes(new byte[10_000]);
            server.getPostOffice().route(piece, false);
        }
        await().until(() -> browse(backlog).size() == before + PIECES);
    }

    /** What was routed is in its queue a moment later. */
    private static List<Message> browse(Queue queue) throws Exception {
        List<Message> all = new ArrayList<>();
        try (LinkedListIterator<MessageReference> references = queue.browserIterator()) {
            while (references.hasNext()) {
                all.add(references.next().getMessage());
            }
        }
        return all;
    }

    private void pass(Duration time) {
        nowNs += time.toNanos();
        keeper.round();
    }

    /** Waits until the last question is about one transfer. */
    private LeaseRequest awaitQuestion(TransferId transfer) {
        List<TransferId> expected = List.of(transfer);
        return await().until(
                        this::question,
                        last -> last.filter(asks -> asks.transfers().equals(expected))
                                .isPresent())
                .orElseThrow();
    }

    private Optional<LeaseRequest> question() throws Exception {
        List<Message> all = browse(asked);
        return all.isEmpty()
                ? Optional.empty()
                : Optional.of((LeaseRequest) FrameProperties.decode(all.get(all.size() - 1)));
    }

    private void grant(LeaseRequest request) throws Exception {
        LeaseGrant grant =
                new LeaseGrant(request.request(), request.transfers().get(0), "s", "archive", Long.MAX_VALUE);
        server.getPostOffice()
                .route(FrameProperties.passing(server.getStorageManager().generateID(), "lh.broker.b", grant), false);
        await().until(() -> browse(server.locateQueue("lh.broker.b")).size() == 1);
    }

    @Test
    void shouldAskAboutWhatLiesBehindWhatNobodyPromises() throws Exception {
        // given
        publish(UNHELD);
        pass(Duration.ofSeconds(1));
        awaitQuestion(UNHELD);
        publish(HELD);

        // when
        pass(Duration.ofMinutes(6));
        pass(Duration.ofSeconds(1));
        LeaseRequest next = awaitQuestion(HELD);
        grant(next);
        pass(Duration.ofSeconds(1));

        // then
        assertThat(keeper.drops().of("lh.sub.t@s").pieces()).isEqualTo(PIECES);
        assertThat(browse(backlog)).hasSize(PIECES);

        // when
        pass(Duration.ofSeconds(31));

        // then
        assertThat(awaitQuestion(UNHELD).request())
                .as("somebody may hold it again")
                .isNotEqualTo(next.request());
    }
}
