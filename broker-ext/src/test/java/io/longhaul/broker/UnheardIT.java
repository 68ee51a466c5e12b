package io.longhaul.broker;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.wire.RemovalAnswer;
import io.longhaul.wire.RemovalRequest;
import io.longhaul.wire.TopicAnswer;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A broker starts anew while a neighbour that others subscribe behind is away: near -- hub -- leaf. */
class UnheardIT extends OneNetwork {
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
        hub = brokers.relaunch(brokers.config("hub").withListen("127.0.0.1:" + port));
    }

    private void awaitSubscription(Broker broker) {
        await().untilAsserted(() -> {
            TopicAnswer answer = topic(broker, "t");
            assertThat(answer.subscriptions()).containsExactly("s");
            assertThat(answer.unknownBehind()).isEmpty();
        });
    }

    @Test
    void shouldSayThatMoreMaySubscribeUntilTheNeighbourHasSpoken() throws Exception {
        // then
        assertThat(topic(hub, "t").subscriptions()).isEmpty();
        assertThat(topic(hub, "t").unknownBehind()).isEqualTo(HUB_WAITS);
        await().untilAsserted(() -> assertThat(topic(near, "t").unknownBehind()).isEqualTo(NEAR_WAITS));

        // when
        brokers.launch(ofLeaf);

        // then
        awaitSubscription(hub);
        awaitSubscription(near);
    }

    @Test
    void shouldSayThatNobodySubscribesWhenTheNeighbourIsRemoved() throws Exception {
        // given
        await().untilAsserted(() -> assertThat(topic(near, "t").unknownBehind()).isEqualTo(NEAR_WAITS));

        // when
        RemovalAnswer removed =
                brokers.connect(hub, "").ask(new RemovalRequest("leaf", false, Client.ANSWER), RemovalAnswer.class);

        // then
        assertThat(removed.refusal()).isEmpty();
        for (Broker each : List.of(hub, near)) {
            await().untilAsserted(
                            () -> assertThat(topic(each, "t")).isEqualTo(new TopicAnswer("t", List.of(), "", "")));
        }
    }
}
