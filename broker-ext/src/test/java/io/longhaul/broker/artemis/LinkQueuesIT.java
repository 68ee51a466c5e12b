package io.longhaul.broker.artemis;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.longhaul.wire.Parcel;
import java.nio.ByteBuffer;
import java.util.Set;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQNonExistentQueueException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.security.SecurityAuth;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LinkQueuesIT {
    private ActiveMQServer server;
    private LinkQueues queues;
    private Queue queue;
    private Queue aside;

    @BeforeEach
    void start() throws Exception {
        server = ActiveMQServers.newActiveMQServer(
                new ConfigurationImpl().setPersistenceEnabled(false).setSecurityEnabled(false), false);
        server.start();
        queues = new LinkQueues(server, "leaf");
        queue = queues.open("lh.topic.t");
        aside = server.createQueue(QueueConfiguration.of(ParkedFrames.aside(queue.getName()))
                .setRoutingType(RoutingType.ANYCAST)
                .setDurable(false));
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    /** Otherwise the queue would be removed, and what lies aside, which is owed, with it. */
    @Test
    void shouldNotBeDryWhileFramesLieAside() throws Exception {
        // given
        boolean before = queues.isDry(queue);

        // when
        server.getPostOffice()
                .route(
                        FrameProperties.passing(
                                server.getStorageManager().generateID(),
                                aside.getName().toString(),
                                new Parcel("front", ByteBuffer.allocate(10))),
                        false);

        // then
        assertThat(before).isTrue();
        await().until(() -> !queues.isDry(queue));
    }

    @Test
    void shouldDestroyTheRestWhenTheKeeperHasRemovedWhatLayAside() throws Exception {
        // given
        int all = queues.all().size();
        server.destroyQueue(aside.getName(), null, false);

        // when
        queues.destroy(aside);
        queues.destroy(queue);

        // then
        assertThat(all).isEqualTo(4);
        assertThat(server.locateQueue(queue.getName())).isNull();
    }

    @Test
    void shouldGoOnWhenTheRemovalOfANeighbourWasFirst() throws Exception {
        // given
        server.registerBrokerPlugin(new ActiveMQServerPlugin() {
            @Override
            public void beforeDestroyQueue(
                    Queue going, SecurityAuth session, boolean check, boolean consumers, boolean address)
                    throws ActiveMQException {
                throw new ActiveMQNonExistentQueueException("gone before");
            }
        });

        // when, then
        assertThatCode(() -> new ParkedFrames(server).retain(Set.of())).doesNotThrowAnyException();
    }

    /** What it does not take goes another way; what one on that way has had may have passed it before it knew the way. */
    @Test
    void shouldTakeOnlyWhatHasPassedSomebodyOnTheOtherWayWhenCovered() throws Exception {
        // given
        queues.cover(queue, Set.of("a", "hub_1"));

        // when
        route("");
        route("a/", "a");
        route("hub_1/a/", "a");
        route("b/leaf/", "leaf");
        route("hubx1/", "hubx1");
        route("b/a/", "a");
        queues.open("lh.topic.t");
        route("");
        route("a/", "a");

        // then
        await().until(() -> queue.getMessageCount() >= 4);
        assertThat(queue.getMessageCount()).isEqualTo(4);
    }

    private void route(String via, String... from) throws Exception {
        CoreMessage message = new CoreMessage(server.getStorageManager().generateID(), 100);
        message.setAddress("lh.topic.t");
        if (from.length > 0) {
            FrameProperties.arrived(message, from[0], via);
        }
        server.getPostOffice().route(message, false);
    }
}
