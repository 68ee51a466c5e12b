package io.longhaul.broker;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three brokers, near -- hub -- leaf: the hub is lost; "old" was subscribed to at the leaf before, "new" is afterwards. */
class KnownIT extends OneNetwork {
    private static final String WAITS = "no link of broker leaf stands";

    private BrokerConfig ofHub;
    private BrokerConfig ofLeaf;
    private Broker near;
    private Broker leaf;

    @BeforeEach
    void loseHub() throws Exception {
        Broker hub = brokers.launch(brokers.config("hub"));
        ofHub = brokers.config("hub").withListen("127.0.0.1:" + hub.port());
        near = brokers.launch(brokers.config("near").withLinks(Brokers.to(hub)));
        ofLeaf = brokers.config("leaf").withLinks(Brokers.to(hub));
        leaf = brokers.launch(ofLeaf);
        brokers.connect(leaf, "").subscription("old", "s");
        awaitKnown("old");
        loseHub(hub);
        brokers.connect(leaf, "").subscription("new", "s");
        awaitNewOneToWait();
    }

    private void awaitKnown(String topic) {
        await().untilAsserted(() -> {
            assertThat(topic(near, topic).subscriptions()).containsExactly("s");
            assertThat(topic(leaf, topic).unknownTo()).isEmpty();
        });
    }

    /** Closes the hub, and waits until the leaf has seen that it is gone. */
    private void loseHub(Broker hub) {
        hub.close();
        await().until(() -> leaf.snapshot().links().stream().noneMatch(link -> link.up()));
    }

    private void awaitNewOneToWait() {
        await().untilAsserted(() -> {
            assertThat(topic(leaf, "old").unknownTo()).isEmpty();
            assertThat(topic(leaf, "new").unknownTo()).isEqualTo(WAITS);
        });
    }

    private void restartLeaf() {
        leaf.close();
        leaf = brokers.launch(ofLeaf);
    }

    @Test
    void shouldLetOnlyANewSubscriptionWaitWhenStartedAnewWithoutALink() {
        // when
        restartLeaf();

        // then
        awaitNewOneToWait();
    }

    @Test
    void shouldLetNoneWaitThatWasKnownWhenTheLinkIsLostAgain() throws Exception {
        // given
        Broker hub = brokers.relaunch(ofHub);
        awaitKnown("new");

        // when
        loseHub(hub);

        // then
        assertThat(topic(leaf, "new").unknownTo()).isEmpty();

        // when
        restartLeaf();

        // then
        assertThat(topic(leaf, "new").unknownTo()).isEmpty();
        assertThat(topic(leaf, "old").unknownTo()).isEmpty();
    }

    @Test
    void shouldLetAllWaitWhenNothingIsNoted() throws Exception {
        // given
        leaf.close();
        Files.delete(directory.resolve("leaf/known"));

        // when
        leaf = brokers.launch(ofLeaf);

        // then
        assertThat(topic(leaf, "old").unknownTo()).isEqualTo(WAITS);
    }

    @Test
    void shouldLetAllWaitThatWereMadeBeforeTheBrokerHadALink() throws Exception {
        // given
        Broker lone = brokers.launch(brokers.config("lone"));
        brokers.connect(lone, "").subscription("old", "s");
        await().untilAsserted(
                        () -> assertThat(topic(lone, "old").subscriptions()).containsExactly("s"));
        lone.close();

        // when
        Broker linked = brokers.launch(brokers.config("lone").withLinks(ofLeaf.links()));

        // then
        assertThat(topic(linked, "old").unknownTo()).isEqualTo("no link of broker lone stands");
    }
}
