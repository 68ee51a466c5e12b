package io.longhaul.broker.artemis;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.link.LinkSession;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.core.server.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A neighbour takes no bodies for a while. */
class LinkOutletIT {
    private static final int WINDOW = 100_000;

    private final RecordedSession peer = new RecordedSession();
    private final LinkSession session = peer.session();
    private ActiveMQServer server;
    private LinkOutlet outlet;
    private Queue bulk;

    @BeforeEach
    void start() throws Exception {
        server = ActiveMQServers.newActiveMQServer(
                new ConfigurationImpl().setPersistenceEnabled(false).setSecurityEnabled(false), false);
        server.start();
        outlet = new LinkOutlet(server, "hub", "leaf", WINDOW, System::currentTimeMillis);
        bulk = server.createQueue(QueueConfiguration.of("lh.topic.t"));
        outlet.add(bulk);
        outlet.add(server.createQueue(QueueConfiguration.of("lh.receipts.t")));
        outlet.attach(session);
    }

    @AfterEach
    void stop() throws Exception {
        outlet.detach();
        server.stop();
    }

    private void put(String address, int bytes) throws Exception {
        put(address, bytes, 4);
    }

    private void put(String address, int bytes, int priority) throws Exception {
        CoreMessage message = new CoreMessage(server.getStorageManager().generateID(), bytes + 1024)
                .setAddress(address)
                .setPriority((byte) priority)
                .setDurable(true);
        message.getBodyBuffer().writeBytes(new byte[bytes]);
        server.getPostOffice().route(message, false);
    }

    private int sent() {
        return peer.sent(LinkFrame.Carried.class).size();
    }

    @Test
    void shouldSendWordsBeyondAWindowThatBodiesFill() throws Exception {
        // given
        put("lh.topic.t", WINDOW);
        put("lh.topic.t", WINDOW);
        await().until(() -> sent() == 1);

        // when
        put("lh.receipts.t", 10);

        // then
        await().until(() -> sent() == 2);
        assertThat(peer.sent(LinkFrame.Carried.class).get(1).message().readableBytes())
                .isLessThan(WINDOW);
    }

    @Test
    void shouldSendTheMoreUrgentFirstWhateverTopicItIsOf() throws Exception {
        // given
        Queue urgent = server.createQueue(QueueConfiguration.of("lh.topic.urgent"));
        outlet.add(urgent);
        put("lh.topic.t", WINDOW);
        await().until(() -> sent() == 1);
        for (int i = 0; i < 6; i++) {
            put("lh.topic.t", WINDOW);
            put("lh.topic.urgent", WINDOW, 9);
        }
        await().until(() -> bulk.getMessageCount() == 7 && urgent.getMessageCount() == 6);
        settle(urgent);

        // when
        for (int i = 1; i < 13; i++) {
            int taken = i;
            outlet.taken(session, taken);
            await().until(() -> sent() == taken + 1);
            settle(urgent);
        }

        // then
        assertThat(peer.sent(LinkFrame.Carried.class))
                .extracting(LinkOutletIT::priority)
                .containsExactly(4, 9, 9, 9, 9, 9, 9, 4, 4, 4, 4, 4, 4);
    }

    /** Each has had its turn: the more urgent one lets the other one go on. */
    private void settle(Queue urgent) {
        urgent.flushExecutor();
        bulk.flushExecutor();
    }

    private static int priority(LinkFrame.Carried carried) {
        CoreMessage message = new CoreMessage();
        message.receiveBuffer(carried.message().copy());
        return message.getPriority();
    }
}
