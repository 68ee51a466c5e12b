package io.longhaul.broker.artemis;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.link.LinkFrame;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A neighbour takes no bodies for a while. */
class LinkOutletIT {
    private static final int WINDOW = 100_000;

    private final RecordedSession peer = new RecordedSession();
    private ActiveMQServer server;
    private LinkOutlet outlet;

    @BeforeEach
    void start() throws Exception {
        server = ActiveMQServers.newActiveMQServer(
                new ConfigurationImpl().setPersistenceEnabled(false).setSecurityEnabled(false), false);
        server.start();
        outlet = new LinkOutlet(server, "hub", "leaf", WINDOW, System::currentTimeMillis);
        outlet.add(server.createQueue(QueueConfiguration.of("lh.topic.t")));
        outlet.add(server.createQueue(QueueConfiguration.of("lh.receipts.t")));
        outlet.attach(peer.session());
    }

    @AfterEach
    void stop() throws Exception {
        outlet.detach();
        server.stop();
    }

    private void put(String address, int bytes) throws Exception {
        CoreMessage message = new CoreMessage(server.getStorageManager().generateID(), bytes + 1024)
                .setAddress(address)
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
}
