package io.longhaul.it.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.OutputLine;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import io.longhaul.it.testbed.Topology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Brokers of several sites, joined by links. */
@ExtendWith(TestbedExtension.class)
final class LinksIT {
    private static final String TOPIC = "links";
    private static final double MOST_PER_LINK = 1.03;
    private static final int LIMIT_MIB = 16;

    /** For brokers that have much to do. */
    private static ConditionFactory await() {
        return Awaitility.await().atMost(Child.PATIENCE);
    }

    @Test
    void shouldUseOneWayOfARingAndAnotherOneWhenABrokerIsGone(Testbed testbed) {
        // given
        Network a = Network.site(testbed, "a");
        Network b = Network.site(testbed, "b", a);
        Network c = Network.site(testbed, "c", a, b);
        Network.startAll(List.of(a, b, c));
        Topology.awaitLink("b", "a", a);
        Topology.awaitLink("c", "a", a);
        Topology.awaitLink("c", "b", a);
        Node subscriber = c.subscriber("at-c", TOPIC);
        subscriber.startReady();
        Path source = TestFile.random(testbed.file("file.bin"), 5, 16 * TestFile.MIB);

        // when
        b.publisher("publisher", source, TOPIC, "--wait", "1").start().expectExit(0);

        // then
        Delivery.assertSame(subscriber, source, "file.bin");
        OutputLine delivered = Delivery.await(subscriber, 1);
        assertThat(delivered.number("duplicatePieces")).isZero();
        await().untilAsserted(() -> {
            Topology topology = Topology.of(b);
            assertThat(topology.ofLink("b", "a", "sentBytes") + topology.ofLink("b", "c", "sentBytes"))
                    .isBetween(16L * TestFile.MIB, (long) (MOST_PER_LINK * 16 * TestFile.MIB));
        });

        // when
        a.broker().kill();
        Topology.awaitLink("b", "c", b);
        Path second = TestFile.random(testbed.file("second.bin"), 6, 16 * TestFile.MIB);
        b.publisher("publisher2", second, TOPIC, "--wait", "1").start().expectExit(0);

        // then
        Delivery.assertSame(subscriber, second, "second.bin");
    }

    @Test
    void shouldKeepToItsLimitWhenASiteIsAwayAndAnArchiveHolds(Testbed testbed) {
        // given
        Network hub = Network.site(testbed, "hub");
        hub.broker().with("--backlog-limit", LIMIT_MIB + "MiB");
        Network leaf = Network.site(testbed, "leaf", hub);
        Network.startAll(List.of(hub, leaf));
        Topology.awaitLink("leaf", "hub", hub);
        hub.archive("archive", TOPIC).startReady();
        Node subscriber = leaf.subscriber("at-leaf", TOPIC);
        subscriber.startReady();
        leaf.broker().kill();
        List<Path> sources = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            sources.add(TestFile.random(testbed.file("file" + i), 10 + i, 24 * TestFile.MIB));
        }

        // when
        for (Path source : sources) {
            hub.publish("publisher", source, TOPIC);
        }

        // then
        await().untilAsserted(() -> assertThat(Topology.of(hub).ofLink("hub", "leaf", "backlogBytes"))
                .isLessThan(2 * LIMIT_MIB * TestFile.MIB));
        leaf.broker().startReady();
        Delivery.await(subscriber, sources.size());
        for (Path source : sources) {
            Delivery.assertSame(subscriber, source, source.getFileName().toString());
        }
    }
}
