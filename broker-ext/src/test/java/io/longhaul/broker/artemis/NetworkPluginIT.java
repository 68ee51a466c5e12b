package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.security.SecurityAuth;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.junit.jupiter.api.Test;

/** Queues that come and go while the network looks. */
class NetworkPluginIT {
    private static final String NAME = "lh.sub.t@s";
    private static final QueueConfiguration QUEUE = QueueConfiguration.of(NAME).setAddress("lh.topic.t");

    private static void plug(LoneNetwork hub) throws Exception {
        hub.server()
                .registerBrokerPlugin(
                        new NetworkPlugin(hub.server(), hub.network(), new Routes(), Optional.empty(), "hub"));
        hub.start();
    }

    private static List<String> subscriptions(LoneNetwork hub) throws Exception {
        return hub.onThread(() -> hub.network().subscriptions("t"));
    }

    @Test
    void shouldKnowWhatIsKept() throws Exception {
        try (LoneNetwork hub = new LoneNetwork("hub")) {
            // given
            plug(hub);

            // when
            hub.server().createQueue(QUEUE);

            // then
            assertThat(subscriptions(hub)).containsExactly("s");

            // when
            hub.server().destroyQueue(SimpleString.of(NAME));

            // then
            assertThat(subscriptions(hub)).isEmpty();
        }
    }

    @Test
    void shouldKnowAQueueThatIsMadeAnewWhileItIsRemoved() throws Exception {
        try (LoneNetwork hub = new LoneNetwork("hub")) {
            // given
            hub.server().registerBrokerPlugin(new ActiveMQServerPlugin() {
                @Override
                public void afterDestroyQueue(
                        Queue queue,
                        SimpleString address,
                        SecurityAuth session,
                        boolean checkConsumerCount,
                        boolean removeConsumers,
                        boolean autoDeleteAddress)
                        throws ActiveMQException {
                    try {
                        hub.server().createQueue(QUEUE);
                    } catch (Exception e) {
                        throw new ActiveMQException("not made: " + e);
                    }
                }
            });
            plug(hub);
            hub.server().createQueue(QUEUE);

            // when
            hub.server().destroyQueue(SimpleString.of(NAME));

            // then
            assertThat(subscriptions(hub)).containsExactly("s");
        }
    }
}
