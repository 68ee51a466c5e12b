package io.longhaul.broker.artemis;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.LeaseGrant;
import io.longhaul.wire.LeaseRequest;
import io.longhaul.wire.TransferId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
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
    private static final String MANIFEST = "{\"name\":\"2026/11/some-small-file.nc\",\"mode\":420,\"publisher\":\"p\"}";
    private static final int ROUNDS = 4;
    private static final int STRANGE = 8;
    private static final int FILES = 100; // whose manifests and seals are about the limit

    private final List<String> warnings = new ArrayList<>();
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
        QuietLog log = new QuietLog(RecordedLog.into(warnings), () -> nowNs);
        keeper = new BacklogKeeper(server, LIMIT, new Behind(), () -> nowNs, new Random(1), log);
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
            Message piece = frame("piece", transfer, new byte[10_000]);
            piece.putLongProperty(SimpleString.of(FrameCodec.INDEX), i);
            server.getPostOffice().route(piece, false);
        }
        await().until(() -> browse(backlog).size() == before + PIECES);
    }

    private Message frame(String type, TransferId transfer, byte[] body) {
        Message frame = new CoreMessage(server.getStorageManager().generateID(), body.length + 500)
                .setAddress("lh.topic.t")
                .setDurable(true);
        frame.putStringProperty(SimpleString.of(FrameCodec.TYPE), SimpleString.of(type));
        frame.putStringProperty(SimpleString.of(FrameCodec.TRANSFER), SimpleString.of(transfer.toString()));
        frame.toCore().getBodyBuffer().writeBytes(body);
        return frame;
    }

    /** Sends a transfer of one small piece, or of none. */
    private void publishSmall(TransferId transfer, boolean empty) throws Exception {
        server.getPostOffice().route(frame("manifest", transfer, MANIFEST.getBytes(StandardCharsets.UTF_8)), false);
        if (!empty) {
            Message piece = frame("piece", transfer, new byte[100]);
            piece.putLongProperty(SimpleString.of(FrameCodec.INDEX), 0);
            server.getPostOffice().route(piece, false);
        }
        server.getPostOffice().route(frame("seal", transfer, MANIFEST.getBytes(StandardCharsets.UTF_8)), false);
    }

    /** Looks on until the backlog is within its limit; somebody promises whatever is asked for. */
    private void passWithAHolder() {
        await().until(() -> {
            pass(Duration.ofMillis(600));
            for (Message each : browse(asked)) {
                LeaseRequest request = (LeaseRequest) FrameProperties.decode(each);
                for (TransferId transfer : request.transfers()) {
                    send(new LeaseGrant(request.request(), transfer, "s", "archive", Long.MAX_VALUE));
                }
            }
            asked.deleteAllReferences();
            return backlog.getPersistentSize() <= LIMIT;
        });
    }

    private void send(LeaseGrant grant) throws Exception {
        server.getPostOffice()
                .route(FrameProperties.passing(server.getStorageManager().generateID(), "lh.broker.b", grant), false);
    }

    private long parkedBytes() {
        Queue aside = server.locateQueue("lh.parked.t@s");
        return aside == null ? 0 : aside.getPersistentSize();
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
        send(grant);
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

    /** Queues that look like subscriptions, of an address that is none of a topic. */
    @Test
    void shouldLookAtOtherBacklogsWhenSomeCannotBeLookedAt() throws Exception {
        // given
        for (int i = 0; i < STRANGE; i++) {
            queue("lh.sub.strange" + i + "@s", "strange");
        }
        server.getPostOffice().route(frame("piece", UNHELD, new byte[2 * LIMIT]).setAddress("strange"), false);
        publish(HELD);

        // when
        pass(Duration.ofSeconds(1));
        pass(Duration.ofSeconds(1));

        // then
        awaitQuestion(HELD);
        assertThat(warnings).as("once for each").hasSize(STRANGE).allMatch(line -> line.contains("lh.sub.strange"));
    }

    /** There are two of them for each file, however small it is. */
    @Test
    void shouldNotLetManifestsAndSealsOfSmallFilesFillTheBroker() throws Exception {
        // given
        List<String> expected = new ArrayList<>();

        // when
        for (int round = 1; round <= ROUNDS; round++) {
            for (int i = 0; i < FILES; i++) {
                TransferId transfer = new TransferId(round, i);
                publishSmall(transfer, i % 2 == 0);
                expected.add("manifest " + transfer);
                expected.add("seal " + transfer);
            }
            passWithAHolder();
        }

        // then
        assertThat(parkedBytes()).as("bytes aside").isLessThan(LIMIT);

        // when
        List<String> taken = takeAll(expected.size());

        // then
        assertThat(taken).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(parkedBytes()).isZero();
    }

    /** Takes what comes into the queue, for somebody who consumes it, until there are so many manifests and seals. */
    private List<String> takeAll(int count) throws Exception {
        backlog.addConsumer(new IdleConsumer());
        List<String> taken = new ArrayList<>();
        await().until(() -> {
            Set<Long> seen = new HashSet<>();
            for (Message each : browse(backlog)) {
                seen.add(each.getMessageID());
                if (!FrameProperties.isPiece(each)) {
                    taken.add(each.getObjectProperty(FrameCodec.TYPE) + " "
                            + each.getObjectProperty(FrameCodec.TRANSFER));
                }
            }
            backlog.deleteMatchingReferences(new Choice(message -> seen.contains(message.getMessageID())));
            pass(Duration.ofMillis(500));
            return taken.size() >= count;
        });
        return taken;
    }
}
