package io.longhaul.broker.artemis;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.link.LinkFrame;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.HandleStatus;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A queue in page files, and somebody who was given some of it. */
class UndeliveredIT {
    private static final int MESSAGES = 20;
    private static final int GIVEN = 15;
    private static final int BYTES = 5_000;

    @TempDir
    Path data;

    private ActiveMQServer server;
    private Queue queue;

    @BeforeEach
    void start() throws Exception {
        server = BareServer.start(BareServer.in(data)
                .addAddressSetting(
                        "#",
                        new AddressSettings()
                                .setMaxSizeBytes(2 * BYTES)
                                .setPageSizeBytes(2 * BYTES)
                                .setMaxReadPageBytes(MESSAGES * BYTES)
                                .setMaxReadPageMessages(MESSAGES)
                                .setPrefetchPageBytes(MESSAGES * BYTES)
                                .setAddressFullMessagePolicy(AddressFullMessagePolicy.PAGE)));
        queue = server.createQueue(QueueConfiguration.of("lh.topic.t"));
        for (int i = 0; i < MESSAGES; i++) {
            CoreMessage message = new CoreMessage(server.getStorageManager().generateID(), BYTES + 500)
                    .setAddress("lh.topic.t")
                    .setDurable(true);
            message.getBodyBuffer().writeBytes(new byte[BYTES]);
            server.getPostOffice().route(message, false);
        }
        await().until(() -> ids().size() == MESSAGES);
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private List<Long> ids() {
        List<Long> ids = new ArrayList<>();
        try (Undelivered messages = new Undelivered(queue)) {
            while (messages.hasNext()) {
                ids.add(messages.next().getMessageID());
            }
        }
        return ids;
    }

    @Test
    void shouldLeaveOutWhatAConsumerHas() throws Exception {
        // given
        List<Long> all = ids();
        Taking consumer = new Taking();

        // when
        queue.addConsumer(consumer);
        queue.deliverAsync();
        await().until(() -> consumer.given.size() == GIVEN);

        // then
        assertThat(ids()).containsExactlyElementsOf(all.subList(GIVEN, MESSAGES));
    }

    @Test
    void shouldLeaveOutWhatIsUnderWayOverALink() throws Exception {
        // given
        LinkOutlet outlet = new LinkOutlet(server, "hub", "leaf", GIVEN * BYTES, System::currentTimeMillis);
        RecordedSession peer = new RecordedSession();
        outlet.attach(peer.session());
        List<Long> all = ids();

        // when
        outlet.add(queue);
        await().until(() -> peer.sent(LinkFrame.Carried.class).size() == GIVEN);

        // then
        assertThat(ids()).containsExactlyElementsOf(all.subList(GIVEN, MESSAGES));

        // when
        outlet.detach();

        // then
        await().untilAsserted(() -> assertThat(ids()).containsExactlyElementsOf(all));
    }

    /** Takes some messages and acknowledges none. */
    private static final class Taking extends IdleConsumer {
        private final List<MessageReference> given = new CopyOnWriteArrayList<>();

        @Override
        public HandleStatus handle(MessageReference reference) {
            if (given.size() == GIVEN) {
                return HandleStatus.BUSY;
            }
            reference.handled();
            given.add(reference);
            return HandleStatus.HANDLED;
        }

        @Override
        public List<MessageReference> getDeliveringMessages() {
            return given;
        }
    }
}
