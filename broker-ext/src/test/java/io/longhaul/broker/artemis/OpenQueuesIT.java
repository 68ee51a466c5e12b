package io.longhaul.broker.artemis;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.core.server.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The queue of a topic that a neighbour wanted and wants no more. */
class OpenQueuesIT {
    private static final String TOPIC = "lh.topic.t";

    private ActiveMQServer server;
    private OpenQueues queues;
    private long nowNs = 1;

    @BeforeEach
    void start() throws Exception {
        server = ActiveMQServers.newActiveMQServer(
                new ConfigurationImpl().setPersistenceEnabled(false).setSecurityEnabled(false), false);
        server.start();
        LinkOutlet outlet = new LinkOutlet(server, "hub", "leaf", 1 << 20, () -> 0);
        queues = new OpenQueues("leaf", new LinkQueues(server, "leaf"), outlet);
        queues.open(TOPIC);
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private Queue queue() {
        return server.locateQueue(SimpleString.of("lh.link.leaf@" + TOPIC));
    }

    private void pass(Duration time, boolean fed) throws Exception {
        nowNs += time.toNanos();
        queues.sweep(nowNs, () -> fed);
    }

    @Test
    void shouldRemoveADryQueueSoonWhenNobodyHasAnythingToSend() throws Exception {
        // given
        queues.close(TOPIC, 7);
        pass(Duration.ofSeconds(1), true);
        pass(Duration.ofSeconds(60), false);

        // when then
        pass(Duration.ofSeconds(9), false);
        assertThat(queue()).isNotNull();

        // when then
        pass(Duration.ofSeconds(2), false);
        assertThat(queue()).isNull();
    }

    /** What others have to send may be of other topics, for ever. */
    @Test
    void shouldRemoveADryQueueAfterALongTimeAlsoWhenOthersAlwaysHaveSomethingToSend() throws Exception {
        // given
        queues.close(TOPIC, 7);
        pass(Duration.ofSeconds(1), true);

        // when then
        pass(Duration.ofMinutes(9), true);
        assertThat(queue()).isNotNull();

        // when then
        pass(Duration.ofMinutes(2), true);
        assertThat(queue()).isNull();
    }

    @Test
    void shouldKeepAQueueThatIsNotDryForAsLongAsItTakes() throws Exception {
        // given
        CoreMessage message = new CoreMessage(server.getStorageManager().generateID(), 50);
        server.getPostOffice().route(message.setAddress(TOPIC).setDurable(true), false);
        await().until(() -> queue().getMessageCount() == 1);
        queues.close(TOPIC, 7);

        // when
        pass(Duration.ofSeconds(1), false);
        pass(Duration.ofHours(1), false);

        // then
        assertThat(queue()).isNotNull();
    }

    /** Returns whether the queue takes what comes from a neighbour, and what was known when it entered the network. */
    private boolean takes(String from, String after) {
        CoreMessage message = new CoreMessage(server.getStorageManager().generateID(), 50);
        message.setAddress(TOPIC);
        if (!after.isEmpty()) {
            FrameProperties.entered(message, after);
        }
        FrameProperties.arrived(message, from, from + '/');
        return queue().getFilter().match(message);
    }

    /** Or a link that nobody needs any more would carry all that is published, for as long as somebody publishes. */
    @Test
    void shouldTakeOnlyWhatEnteredTheNetworkBeforeItWasKnownToRunDry() throws Exception {
        // when
        queues.close(TOPIC, 7);

        // then
        assertThat(queues.drains()).isEqualTo(7);
        assertThat(takes("other", "")).isTrue();
        assertThat(takes("other", "hub=6/third=9")).isTrue();
        assertThat(takes("other", "third=9")).isTrue();
        assertThat(takes("other", "third=9/hub=7")).isFalse();
        assertThat(takes("other", "hub=8")).isFalse();
        assertThat(takes("leaf", "")).isFalse();
    }

    @Test
    void shouldTakeEverythingAgainWhenItIsWantedAgain() throws Exception {
        // given
        queues.close(TOPIC, 7);

        // when
        queues.open(TOPIC);

        // then
        assertThat(queues.drains()).isZero();
        assertThat(takes("other", "hub=7")).isTrue();
    }
}
