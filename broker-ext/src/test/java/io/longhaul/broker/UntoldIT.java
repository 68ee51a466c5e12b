package io.longhaul.broker;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A broker that has a link to open, none of which stands: "old" was subscribed to before, "new" is afterwards. */
class UntoldIT extends OneNetwork {
    private static final String WAITS = "no link of broker leaf stands";

    private BrokerConfig ofHub;
    private BrokerConfig ofLeaf;
    private Broker leaf;

    @BeforeEach
    void loseHub() throws Exception {
        Broker hub = brokers.launch(brokers.config("hub"));
        ofHub = brokers.config("hub").withListen("127.0.0.1:" + hub.port());
        ofLeaf = brokers.config("leaf").withLinks(Brokers.to(hub));
        leaf = brokers.launch(ofLeaf);
        brokers.connect(leaf, "").subscription("old", "s");
        awaitKnown(hub, "old");
        hub.close();
        brokers.connect(leaf, "").subscription("new", "s");
    }

    private void awaitKnown(Broker hub, String topic) {
        await().untilAsserted(() -> {
            assertThat(topic(hub, topic).subscriptions()).containsExactly("s");
            assertThat(topic(leaf, topic).unknownTo()).isEmpty();
        });
    }

    private void awaitNewOneToWait() {
        await().untilAsserted(() -> {
            assertThat(topic(leaf, "old").unknownTo()).isEmpty();
            assertThat(topic(leaf, "new").unknownTo()).isEqualTo(WAITS);
        });
    }

    @Test
    void shouldLetOnlyANewSubscriptionWaitWhenNoLinkStands() throws Exception {
        awaitNewOneToWait();
    }

    @Test
    void shouldLetOnlyANewSubscriptionWaitWhenStartedAnewWithoutALink() throws Exception {
        // when
        leaf.close();
        leaf = brokers.launch(ofLeaf);

        // then
        awaitNewOneToWait();
    }

    @Test
    void shouldLetNoneWaitThatWasKnownWhenTheLinkIsLostAgain() throws Exception {
        // given
        Broker hub = brokers.launch(ofHub);
        awaitKnown(hub, "new");

        // when
        hub.close();
        leaf.close();
        leaf = brokers.launch(ofLeaf);

        // then
        assertThat(topic(leaf, "new").unknownTo()).isEmpty();
        assertThat(topic(leaf, "old").unknownTo()).isEmpty();
    }
}
