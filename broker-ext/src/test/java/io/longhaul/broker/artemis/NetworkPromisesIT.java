package io.longhaul.broker.artemis;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.link.LinkSession;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A leaf subscribes at the hub, which answers once the site above it knows; whose link is lost unnoticed meanwhile. */
class NetworkPromisesIT {
    private final RecordedSession leaf = new RecordedSession();
    private final RecordedSession first = new RecordedSession();
    private final RecordedSession second = new RecordedSession();
    private LoneNetwork hub;
    private LinkSession toLeaf;
    private LinkSession toSite;

    @BeforeEach
    void letTheLeafWait() throws Exception {
        hub = new LoneNetwork("hub");
        hub.start();
        toLeaf = hub.attach("leaf", leaf);
        toSite = hub.attach("site", first);
        hub.report("leaf", "hub");
        hub.report("site", "hub");
        await().until(() -> !first.sent(LinkFrame.Wants.class).isEmpty()
                && !leaf.sent(LinkFrame.Wants.class).isEmpty());
        hub.act("leaf", toLeaf, leaf);
        hub.want("leaf", toLeaf, 1, "lh.sub.a@s");
        hub.act("site", toSite, first);
        hub.want("leaf", toLeaf, 2, "lh.sub.b@s");
        hub.run(() -> hub.network().kept("lh.sub.c@here"));
        hub.act("leaf", toLeaf, leaf);
    }

    @AfterEach
    void close() {
        hub.close();
    }

    private long answered() {
        return answered(leaf);
    }

    private static long answered(RecordedSession session) {
        return session.sent(LinkFrame.Known.class).stream()
                .mapToLong(LinkFrame.Known::version)
                .max()
                .orElse(0);
    }

    private String unknownTo(String topic) throws Exception {
        return hub.onThread(() -> hub.network().unknownTo(topic));
    }

    @Test
    void shouldAnswerOnceTheSiteActsOnWhatItsNewerLinkHasToldIt() throws Exception {
        // when
        LinkSession newer = hub.attach("site", second);
        long before = answered();
        String unknownBefore = unknownTo("c");
        hub.act("site", newer, second);

        // then
        assertThat(before).isEqualTo(1);
        assertThat(unknownBefore).isEqualTo("broker site does not know of it yet");
        assertThat(answered()).isEqualTo(2);
        assertThat(unknownTo("c")).isEmpty();
    }

    @Test
    void shouldNotAnswerBeforeItIsKnownWhetherTheNewerLinkCarriesFiles() throws Exception {
        // given
        hub.report("site");

        // when
        LinkSession newer = hub.attach("site", second);
        long attached = answered();
        hub.report("site", "hub");
        await().until(() -> !second.sent(LinkFrame.Wants.class).isEmpty());
        long told = answered();
        hub.act("site", newer, second);

        // then
        assertThat(attached).isEqualTo(1);
        assertThat(told).isEqualTo(1);
        assertThat(answered()).isEqualTo(2);
    }

    @Test
    void shouldAnswerWhenTheSiteIsLost() throws Exception {
        // given
        LinkSession newer = hub.attach("site", second);

        // when
        hub.run(() -> hub.network().ended("site", newer, "cut"));

        // then
        assertThat(answered()).isEqualTo(2);
    }

    /** It may be chosen a moment later, and what was published behind it meanwhile would be for nobody. */
    @Test
    void shouldAwaitANeighbourOfWhoseLinkItIsNotKnownWhetherItCarriesFiles() throws Exception {
        // given
        hub.report("site");
        LinkSession newer = hub.attach("site", second);

        // when
        hub.want("leaf", toLeaf, 3, "lh.sub.d@s");
        long early = answered();
        hub.report("site", "hub");
        await().until(() -> !second.sent(LinkFrame.Wants.class).isEmpty());
        hub.act("site", newer, second);

        // then
        assertThat(early).isEqualTo(1);
        assertThat(answered()).isEqualTo(3);
    }

    /** Versions begin anew with each link. */
    @Test
    void shouldNotAnswerOverANewerLinkWhatWasSaidOverTheOneBefore() throws Exception {
        // given
        RecordedSession newerLeaf = new RecordedSession();
        LinkSession newer = hub.attach("leaf", newerLeaf);
        await().until(() -> !newerLeaf.sent(LinkFrame.Wants.class).isEmpty());
        hub.act("leaf", newer, newerLeaf);
        List<LinkFrame.Wants> before = first.sent(LinkFrame.Wants.class);
        hub.want("leaf", newer, 1, "lh.sub.a@s", "lh.sub.b@s", "lh.sub.d@s");

        // when
        hub.run(() -> hub.network()
                .known("site", toSite, before.get(before.size() - 1).version()));
        long early = answered(newerLeaf);
        hub.act("site", toSite, first);

        // then
        assertThat(early).isZero();
        assertThat(answered(newerLeaf)).isEqualTo(1);
    }
}
