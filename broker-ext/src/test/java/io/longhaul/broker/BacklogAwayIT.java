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
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The backlog of a site that is away: hub -- leaf. */
class BacklogAwayIT {
    private static final String TRANSFER = "0123456789abcdef0123456789abcdef";
    private static final int MIB = 1024 * 1024;
    private static final int PIECES = 8;

    @TempDir
    Path directory;

    private Brokers brokers;

    @AfterEach
    void close() throws Exception {
        brokers.close();
    }

    private static OptionalLong backlogBytes(Broker hub) {
        return hub.snapshot().links().stream()
                .filter(each -> each.peer().equals("leaf"))
                .mapToLong(BrokerSnapshot.LinkSnapshot::backlogBytes)
                .findFirst();
    }

    private static LeaseRequest request(ClientMessage message) {
        Map<String, Object> properties = new HashMap<>();
        for (SimpleString name : message.getPropertyNames()) {
            Object value = message.getObjectProperty(name);
            properties.put(name.toString(), value instanceof SimpleString text ? text.toString() : value);
        }
        byte[] body = new byte[message.getBodySize()];
        message.getBodyBuffer().readBytes(body);
        return (LeaseRequest) FrameCodec.decode(new Envelope(properties, ByteBuffer.wrap(body)));
    }

    private static void grant(Client client, LeaseRequest asked) throws Exception {
        Envelope envelope = FrameCodec.encode(new LeaseGrant(
                asked.request(), TransferId.parse(TRANSFER), asked.subscription(), "archive", Long.MAX_VALUE));
        ClientMessage answer = client.session.createMessage(true);
        envelope.properties().forEach(answer::putObjectProperty);
        answer.getBodyBuffer().writeBytes(envelope.body());
        client.sendAndWait(asked.replyTo(), answer);
    }

    @Test
    void shouldKeepToTheLimitWhenItWasStartedAnewWhileTheSiteIsAway() throws Exception {
        // given
        brokers = new Brokers(directory);
        BrokerConfig ofHub = brokers.config("hub").withBacklogLimit(MIB);
        Broker first = brokers.launch(ofHub);
        Broker leaf = brokers.launch(brokers.config("leaf").withLinks(Brokers.to(first)));
        brokers.connect(leaf, "").subscription("t", "s");
        try (Client probe = Client.connect(first.corePort())) {
            await().until(() -> probe.session
                    .queueQuery(SimpleString.of("lh.link.leaf@lh.topic.t"))
                    .isExists());
        }
        leaf.close();
        first.close();
        Broker hub = brokers.launch(ofHub);
        Client archive = brokers.connect(hub, "");
        archive.session.createQueue(QueueConfiguration.of("lh.holders.t@archive")
                .setAddress("lh.holders.t")
                .setRoutingType(RoutingType.MULTICAST)
                .setDurable(false));

        // when
        for (int i = 0; i < PIECES; i++) {
            archive.sendAndWait("lh.topic.t", archive.message("piece", TRANSFER, i, new byte[MIB]));
        }

        // then
        try (ClientConsumer questions = archive.session.createConsumer("lh.holders.t@archive")) {
            ClientMessage asked = questions.receive(Patience.LIMIT.toMillis());
            assertThat(asked).as("a question for promises").isNotNull();
            LeaseRequest request = request(asked);
            assertThat(request.subscription()).isEqualTo("s");
            await().until(() -> backlogBytes(hub).orElse(0) > PIECES * MIB);
            grant(archive, request);
        }
        await().until(() -> backlogBytes(hub).orElse(Long.MAX_VALUE) < MIB);
        assertThat(hub.snapshot().links()).singleElement().satisfies(link -> {
            assertThat(link.droppedPieces()).isEqualTo(PIECES);
            assertThat(link.droppedBytes()).isEqualTo((long) PIECES * MIB);
        });
    }
}
