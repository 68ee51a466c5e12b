package io.longhaul.broker.artemis;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.wire.Parcel;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.core.server.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StaleMessagesIT {
    private static final String ENDPOINT = "lh.endpoint.back";
    private static final String POST = "lh.post.hub";
    private static final String INBOX = "lh.inbox.agent";

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(40)); // passes the end
    private ActiveMQServer server;
    private StaleMessages old;

    @BeforeEach
    void start() throws Exception {
        server = ActiveMQServers.newActiveMQServer(
                new ConfigurationImpl().setPersistenceEnabled(false).setSecurityEnabled(false), false);
        server.start();
        old = new StaleMessages(server, nanos::get);
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void shouldDropParcelsThatNobodyTookWithinAMinute() throws Exception {
        // given
        Queue endpoint = queue(ENDPOINT);
        Queue post = queue(POST);
        Queue inbox = queue(INBOX);
        send(ENDPOINT, 3);
        send(POST, 2);
        send(INBOX, 1);
        assertWaiting(endpoint, 3);
        assertWaiting(post, 2);
        old.round();

        // when
        pass(50);
        send(ENDPOINT, 5);
        assertWaiting(endpoint, 8);
        pass(5);

        // then
        assertWaiting(endpoint, 8);

        // when
        pass(5);

        // then
        assertWaiting(endpoint, 5); // those of the last minute
        assertWaiting(post, 0);
        assertWaiting(inbox, 1); // no parcels

        // when
        pass(55);

        // then
        assertWaiting(endpoint, 0);
        assertThat(server.getPagingManager().getGlobalSize())
                .as("bytes held, of the one in the inbox")
                .isLessThan(20_000);
    }

    /** Subscribers ask every few seconds, for as long as it takes, and all of it would wait for a site that is away. */
    @Test
    void shouldDropQuestionsToHoldersThatNobodyTookWithinAMinuteAndNothingElseOfATopic() throws Exception {
        // given
        Queue holder = queue("lh.holders.t@agent.1", "lh.holders.t");
        Queue link = queue("lh.link.leaf@lh.holders.t", "lh.holders.t");
        Queue receipts = queue("lh.link.leaf@lh.receipts.t", "lh.receipts.t");
        Queue topic = queue("lh.link.leaf@lh.topic.t", "lh.topic.t");
        send("lh.holders.t", 3);
        send("lh.receipts.t", 1);
        send("lh.topic.t", 1);
        assertWaiting(link, 3);
        assertWaiting(holder, 3);
        old.round();

        // when
        pass(50);
        send("lh.holders.t", 2);
        assertWaiting(link, 5);
        pass(10);

        // then
        assertWaiting(link, 2); // those of the last minute
        assertWaiting(holder, 2);
        assertWaiting(receipts, 1);
        assertWaiting(topic, 1);
    }

    private Queue queue(String name, String address) throws Exception {
        return server.createQueue(QueueConfiguration.of(name)
                .setAddress(address)
                .setRoutingType(RoutingType.MULTICAST)
                .setDurable(false));
    }

    private Queue queue(String name) throws Exception {
        return server.createQueue(
                QueueConfiguration.of(name).setRoutingType(RoutingType.ANYCAST).setDurable(false));
    }

    /** The queue counts what comes on a thread of its own. */
    private static void assertWaiting(Queue queue, int expected) {
        await().untilAsserted(() -> assertThat(queue.getMessageCount()).isEqualTo(expected));
    }

    private void send(String address, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            server.getPostOffice()
                    .route(
                            FrameProperties.passing(
                                    server.getStorageManager().generateID(),
                                    address,
                                    new Parcel("front", ByteBuffer.allocate(10_000))),
                            false);
        }
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i += 5) {
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(5));
            old.round();
        }
    }
}
