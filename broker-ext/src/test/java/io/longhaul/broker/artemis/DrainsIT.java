package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.link.LinkSession;
import io.longhaul.wire.BrokerReport;
import io.longhaul.wire.FrameCodec;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Everybody hears of queues that run dry, and says so in what is published. */
class DrainsIT {
    private final RecordedSession leaf = new RecordedSession();
    private final RecordedSession site = new RecordedSession();
    private LoneNetwork hub;
    private LinkSession toLeaf;

    @BeforeEach
    void joinALeaf() throws Exception {
        hub = new LoneNetwork("hub");
        hub.start();
        toLeaf = hub.attach("leaf", leaf);
        hub.attach("site", site);
        hub.report("leaf", "hub");
        hub.report("site", "hub");
        hub.want("leaf", toLeaf, 1, "lh.sub.a@s");
    }

    @AfterEach
    void close() {
        hub.close();
    }

    /** Returns what the site has heard last of queues that run dry here. */
    private long heard() {
        List<LinkFrame.Report> reports = site.sent(LinkFrame.Report.class);
        return reports.stream()
                .map(each -> FrameCodec.fromJson(each.json(), BrokerReport.class))
                .filter(each -> each.broker().equals("hub"))
                .reduce((first, last) -> last)
                .map(BrokerReport::drains)
                .orElse(0L);
    }

    private String known() {
        return hub.network().reporter().drains().known();
    }

    private void takeBack() throws Exception {
        hub.run(() ->
                hub.network().wants("leaf", toLeaf, new LinkFrame.Wants(2, false, Set.of("lh.sub.a@s"), Set.of())));
    }

    @Test
    void shouldTellEverybodyWhenANeighbourTakesBackWhatItWanted() throws Exception {
        // given
        assertThat(known()).isEmpty();

        // when
        takeBack();

        // then
        await().until(() -> heard() > 0);
        await().until(() -> known().equals("hub=" + heard()));
    }

    @Test
    void shouldTakeBackTheQueueWhenTheNeighbourWantsItAgain() throws Exception {
        // given
        takeBack();
        await().until(() -> heard() > 0);

        // when
        hub.want("leaf", toLeaf, 3, "lh.sub.a@s");

        // then
        await().until(() -> heard() == 0 && known().isEmpty());
    }

    @Test
    void shouldGiveEachQueueAGreaterNumber() throws Exception {
        // given
        takeBack();
        await().until(() -> heard() > 0);
        long first = heard();

        // when
        hub.want("leaf", toLeaf, 3, "lh.sub.a@s");
        takeBack();

        // then
        await().until(() -> heard() > first);
    }

    @Test
    void shouldSayInWhatIsPublishedWhatOthersHaveTold() throws Exception {
        // given
        NetworkPlugin plugin = new NetworkPlugin(hub.server(), hub.network(), new Routes(), Optional.empty(), "hub");
        CoreMessage before = new CoreMessage(1, 50);
        before.setAddress("lh.topic.a");
        CoreMessage after = new CoreMessage(2, 50);
        after.setAddress("lh.topic.a");

        // when
        plugin.beforeSend(null, null, before, false, false);
        hub.run(() -> hub.network().reported("site", new BrokerReport("far", 9, 0, 0, List.of(), List.of(), 5, 0)));
        await().until(() -> known().equals("far=5"));
        plugin.beforeSend(null, null, after, false, false);

        // then
        assertThat(before.containsProperty(FrameProperties.AFTER)).isFalse();
        assertThat(after.getStringProperty(FrameProperties.AFTER)).isEqualTo("far=5");
        assertThat(FrameProperties.isForged(after)).isTrue();
    }
}
