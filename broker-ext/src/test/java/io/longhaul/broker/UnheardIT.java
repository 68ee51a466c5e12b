package io.longhaul.broker;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.wire.Envelope;
import io.longhaul.wire.Frame;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.RemovalAnswer;
import io.longhaul.wire.RemovalRequest;
import io.longhaul.wire.TopicAnswer;
import io.longhaul.wire.TopicQuery;
import java.util.List;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A broker starts anew while a neighbour that others subscribe behind is away: near -- hub -- leaf. */
class UnheardIT extends OneNetwork {
    private static final String ANSWER = "lh.answer.unheard";
    private static final String HUB_WAITS = "broker hub waits for the link to leaf, to know who subscribes to topic t";
    private static final String NEAR_WAITS =
            "broker near waits for a link beyond hub, to know who subscribes to topic t";

    private Broker hub;
    private Broker near;
    private BrokerConfig ofLeaf;

    @BeforeEach
    void restartWithoutLeaf() throws Exception {
        Broker first = brokers.launch(brokers.config("hub"));
        near = brokers.launch(brokers.config("near").withLinks(Brokers.to(first)));
        ofLeaf = brokers.config("leaf").withLinks(Brokers.to(first));
        Broker leaf = brokers.launch(ofLeaf);
        brokers.connect(leaf, "").subscription("t", "s");
        awaitSubscription(near);
        int port = first.port();
        leaf.close();
        first.close();
        hub = brokers.launch(brokers.config("hub").withListen("127.0.0.1:" + port));
    }

    private <T extends Frame> T ask(Broker broker, Frame question, Class<T> answer) throws Exception {
        Client client = brokers.connect(broker, "");
        client.session.createQueue(QueueConfiguration.of(ANSWER)
                .setRoutingType(RoutingType.ANYCAST)
                .setDurable(false)
                .setTemporary(true));
        Envelope envelope = FrameCodec.encode(question);
        ClientMessage message = client.session.createMessage(false);
        envelope.properties().forEach(message::putObjectProperty);
        message.getBodyBuffer().writeBytes(envelope.body());
        try (ClientConsumer answers = client.session.createConsumer(ANSWER)) {
            client.sendAndWait("lh.broker", message);
            ClientMessage received = Client.next(answers);
            byte[] body = new byte[received.getBodySize()];
            received.getBodyBuffer().readBytes(body);
            return FrameCodec.fromJson(body, answer);
        } finally {
            client.session.deleteQueue(ANSWER);
        }
    }

    private TopicAnswer topic(Broker broker) throws Exception {
        return ask(broker, new TopicQuery("t", ANSWER), TopicAnswer.class);
    }

    private void awaitSubscription(Broker broker) {
        await().untilAsserted(() -> {
            TopicAnswer answer = topic(broker);
            assertThat(answer.subscriptions()).containsExactly("s");
            assertThat(answer.unknownBehind()).isEmpty();
        });
    }

    @Test
    void shouldSayThatMoreMaySubscribeUntilTheNeighbourHasSpoken() throws Exception {
        // then
        assertThat(topic(hub).subscriptions()).isEmpty();
        assertThat(topic(hub).unknownBehind()).isEqualTo(HUB_WAITS);
        await().untilAsserted(() -> assertThat(topic(near).unknownBehind()).isEqualTo(NEAR_WAITS));

        // when
        brokers.launch(ofLeaf);

        // then
        awaitSubscription(hub);
        awaitSubscription(near);
    }

    @Test
    void shouldSayThatNobodySubscribesWhenTheNeighbourIsRemoved() throws Exception {
        // given
        await().untilAsserted(() -> assertThat(topic(near).unknownBehind()).isEqualTo(NEAR_WAITS));

        // when
        RemovalAnswer removed = ask(hub, new RemovalRequest("leaf", false, ANSWER), RemovalAnswer.class);

        // then
        assertThat(removed.refusal()).isEmpty();
        for (Broker each : List.of(hub, near)) {
            await().untilAsserted(() -> assertThat(topic(each)).isEqualTo(new TopicAnswer("t", List.of(), "", "")));
        }
    }
}
