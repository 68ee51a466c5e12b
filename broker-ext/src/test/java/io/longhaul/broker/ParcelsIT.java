package io.longhaul.broker;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.PasswordHash;
import io.longhaul.broker.users.TopicPattern;
import io.longhaul.broker.users.UsersFile;
import io.longhaul.wire.Envelope;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Parcel;
import io.longhaul.wire.Refusals;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.junit.jupiter.api.Test;

/** What brokers make of messages for endpoints, whoever sends them. */
class ParcelsIT extends OneNetwork {
    private static final String BACK = "lh.endpoint.back";

    private static ClientMessage parcel(Client client, String from, int number, int priority) {
        Envelope envelope = FrameCodec.encode(new Parcel(from, ByteBuffer.allocate(1000)));
        ClientMessage message = client.session.createMessage(false);
        envelope.properties().forEach(message::putObjectProperty);
        message.putIntProperty("number", number);
        message.setPriority((byte) priority);
        message.getBodyBuffer().writeBytes(envelope.body());
        return message;
    }

    private static void keep(Client client, String address) throws Exception {
        client.session.createQueue(QueueConfiguration.of(address)
                .setAddress(address)
                .setRoutingType(RoutingType.ANYCAST)
                .setDurable(true));
    }

    private static void assertRefused(String word, Client client, String to, ClientMessage message) {
        assertThatThrownBy(() -> client.sendAndWait(to, message))
                .isInstanceOf(ExecutionException.class)
                .satisfies(e -> assertThat(Refusals.says(word, e.getCause()))
                        .as(String.valueOf(e.getCause().getMessage()))
                        .isTrue());
    }

    @Test
    void shouldStayFleetingAndInOrderOfUrgencyWhenParcelsCrossALink() throws Exception {
        // given
        Broker hub = brokers.launch(brokers.config("hub"));
        Broker site = brokers.launch(brokers.config("site").withLinks(Brokers.to(hub)));
        Client back = brokers.connect(site, "");
        keep(back, BACK);
        Client front = brokers.connect(hub, "");
        await().ignoreExceptions().untilAsserted(() -> front.sendAndWait(BACK, parcel(front, "front", 0, 9)));

        // when
        for (int i = 1; i <= 20; i++) {
            front.sendAndWait(BACK, parcel(front, "front", i, i % 2 == 0 ? 3 : 7));
        }
        await().untilAsserted(() -> assertThat(back.session
                        .queueQuery(org.apache.activemq.artemis.api.core.SimpleString.of(BACK))
                        .getMessageCount())
                .isEqualTo(21));

        // then
        List<Integer> numbers = new ArrayList<>();
        try (ClientConsumer consumer = back.session.createConsumer(BACK)) {
            for (int i = 0; i <= 20; i++) {
                ClientMessage next = Client.next(consumer);
                assertThat(next.isDurable()).isFalse();
                assertThat(next.getExpiration())
                        .as("no time of another machine")
                        .isZero();
                numbers.add(next.getIntProperty("number"));
            }
        }
        assertThat(numbers).containsExactly(0, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20);
    }

    @Test
    void shouldTakeNothingButParcelsForAnEndpoint() throws Exception {
        // given
        Broker broker = brokers.launch(brokers.config("hub"));
        Client client = brokers.connect(broker, "");
        keep(client, BACK);
        ClientMessage durable = parcel(client, "front", 0, 4);
        durable.setDurable(true);
        byte[] body = new byte[10];
        Arrays.fill(body, (byte) 1);

        // when, then
        assertRefused(Refusals.BAD_FRAME, client, BACK, durable);
        assertRefused(Refusals.BAD_FRAME, client, BACK, client.message("cancel", "00", 0, body));
        assertRefused(
                Refusals.BAD_FRAME,
                client,
                BACK,
                parcel(client, "front", 0, 4).putStringProperty("lh_sender", "no name"));
        assertRefused(Refusals.NO_SUBSCRIPTION, client, "lh.endpoint.nobody", parcel(client, "front", 0, 4));
        client.sendAndWait(BACK, parcel(client, "front", 0, 4));
    }

    @Test
    void shouldKeepUsersToTheirEndpointsWhenTheySendAndReceive() throws Exception {
        // given
        Path users = directory.resolve("users.yaml");
        UsersFile.empty()
                .with(account("front", "endpoint.back", "endpoint.front"))
                .with(account("back", "endpoint.front", "endpoint.back"))
                .write(users);
        Broker hub = brokers.launch(brokers.config("hub").withUsers(users));
        Client front = brokers.connect(hub, "front");
        Client back = brokers.connect(hub, "back");
        keep(front, "lh.endpoint.front");
        keep(back, BACK);

        // when, then
        front.sendAndWait(BACK, parcel(front, "front", 0, 4));
        assertRefused(Refusals.FORBIDDEN, front, BACK, parcel(front, "back", 0, 4));
        assertRefused(Refusals.FORBIDDEN, back, BACK, parcel(back, "back", 0, 4));
        assertThatThrownBy(() -> keep(brokers.connect(hub, "front"), "lh.endpoint.other"))
                .hasMessageContaining("permission");
        assertThatThrownBy(() -> brokers.connect(hub, "front").session.createConsumer(BACK))
                .hasMessageContaining("permission");
    }

    private static Account account(String name, String publish, String subscribe) {
        return Account.of(
                name,
                PasswordHash.of("secret".toCharArray(), new Random(1)),
                List.of(new TopicPattern(publish)),
                List.of(new TopicPattern(subscribe)));
    }
}
