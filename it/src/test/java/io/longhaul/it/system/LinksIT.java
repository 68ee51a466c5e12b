package io.longhaul.it.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.OutputLine;
import io.longhaul.it.testbed.PartFiles;
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

    /** Returns sites a, b, c, ... of which each but the first links to the one before it; all are ready. */
    private static List<Network> chain(Testbed testbed, int count) {
        List<Network> sites = new ArrayList<>(List.of(Network.site(testbed, "a")));
        for (int i = 1; i < count; i++) {
            sites.add(Network.site(testbed, Character.toString('a' + i), sites.get(i - 1)));
        }
        sites.forEach(site -> site.broker().startReady());
        for (int i = 1; i < count; i++) {
            Topology.awaitLink(Character.toString('a' + i), Character.toString('a' + i - 1), sites.get(0));
        }
        return sites;
    }

    /** For brokers that have much to do. */
    private static ConditionFactory await() {
        return Awaitility.await().atMost(Child.PATIENCE);
    }

    @Test
    void shouldCarryOneCopyOverEachLinkWhenSeveralSubscribe(Testbed testbed) {
        // given
        List<Network> sites = chain(testbed, 3);
        List<Node> subscribers = new ArrayList<>();
        subscribers.add(sites.get(1).subscriber("at-b", TOPIC));
        subscribers.add(sites.get(2).subscriber("at-c1", TOPIC));
        subscribers.add(sites.get(2).subscriber("at-c2", TOPIC));
        subscribers.forEach(Node::startReady);
        Path source = TestFile.random(testbed.file("file.bin"), 1, 64 * TestFile.MIB + 5);

        // when
        Node publisher = sites.get(0).publisher("publisher", source, TOPIC, "--wait", "3");
        publisher.start().expectExit(0);

        // then
        subscribers.forEach(subscriber -> Delivery.assertSame(subscriber, source, "file.bin"));
        assertThat(publisher.events("receipt"))
                .extracting(line -> line.text("subscription"))
                .containsExactlyInAnyOrder("at-b", "at-c1", "at-c2");
        await().untilAsserted(() -> {
            Topology topology = Topology.of(sites.get(0));
            for (List<String> link : List.of(List.of("a", "b"), List.of("b", "c"))) {
                assertThat(topology.ofLink(link.get(0), link.get(1), "sentBytes"))
                        .as("bytes from %s to %s", link.get(0), link.get(1))
                        .isBetween(source.toFile().length(), (long)
                                (MOST_PER_LINK * source.toFile().length()));
            }
        });
    }

    @Test
    void shouldReachASiteWhoseNameEndsAnotherOne(Testbed testbed) {
        // given
        Network first = Network.site(testbed, "x-site-b");
        Network middle = Network.site(testbed, "site-b", first);
        Network last = Network.site(testbed, "b", middle);
        List.of(first, middle, last).forEach(site -> site.broker().startReady());
        Topology.awaitLink("site-b", "x-site-b", first);
        Topology.awaitLink("b", "site-b", first);
        Node subscriber = last.subscriber("at-b", TOPIC);
        subscriber.startReady();
        Path source = TestFile.random(testbed.file("file.bin"), 7, TestFile.MIB);

        // when
        first.publisher("publisher", source, TOPIC, "--wait", "1").start().expectExit(0);

        // then
        Delivery.assertSame(subscriber, source, "file.bin");
    }

    @Test
    void shouldCarryNothingWhenNobodyBeyondTheLinkSubscribes(Testbed testbed) {
        // given
        List<Network> sites = chain(testbed, 2);
        Node subscriber = sites.get(0).subscriber("at-a", TOPIC);
        subscriber.startReady();
        Path source = TestFile.random(testbed.file("file.bin"), 2, 8 * TestFile.MIB);

        // when
        sites.get(0)
                .publisher("publisher", source, TOPIC, "--wait", "1")
                .start()
                .expectExit(0);

        // then
        assertThat(Topology.of(sites.get(0)).ofLink("a", "b", "sentBytes")).isLessThan(100_000);
    }

    @Test
    void shouldGoOnWhenTheBrokerInTheMiddleIsKilled(Testbed testbed) {
        // given
        List<Network> sites = chain(testbed, 3);
        Node subscriber = sites.get(2).subscriber("at-c", TOPIC);
        subscriber.startReady();
        Path source = TestFile.random(testbed.file("file.bin"), 3, 96 * TestFile.MIB);
        Node publisher = sites.get(0).publisher("publisher", source, TOPIC, "--wait", "1");

        // when
        publisher.start();
        PartFiles.awaitBytes(subscriber, 16 * TestFile.MIB);
        sites.get(1).broker().kill().startReady();

        // then
        publisher.child().expectExit(0);
        Delivery.assertSame(subscriber, source, "file.bin");
    }

    @Test
    void shouldKeepWhatIsOwedWhenEveryBrokerIsKilledAndTheSubscriberAway(Testbed testbed) {
        // given
        List<Network> sites = chain(testbed, 3);
        Node subscriber = sites.get(2).subscriber("at-c", TOPIC);
        subscriber.startReady().terminate();
        subscriber.child().expectExit(0);
        sites.get(2).broker().kill();
        Path source = TestFile.random(testbed.file("file.bin"), 4, 24 * TestFile.MIB);

        // when
        sites.get(0).publisher("publisher", source, TOPIC).start().expectExit(0);
        sites.get(0).broker().kill().startReady();
        sites.get(1).broker().kill().startReady();
        sites.get(2).broker().startReady();
        subscriber.start();

        // then
        Delivery.await(subscriber, 1);
        Delivery.assertSame(subscriber, source, "file.bin");
    }

    @Test
    void shouldUseOneWayOnlyWhenLinksMakeARing(Testbed testbed) {
        // given
        Network a = Network.site(testbed, "a");
        Network b = Network.site(testbed, "b", a);
        Network c = Network.site(testbed, "c", a, b);
        List.of(a, b, c).forEach(site -> site.broker().startReady());
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
    }

    @Test
    void shouldFindAnotherWayWhenABrokerOfARingIsGone(Testbed testbed) {
        // given
        Network a = Network.site(testbed, "a");
        Network b = Network.site(testbed, "b", a);
        Network c = Network.site(testbed, "c", a, b);
        List.of(a, b, c).forEach(site -> site.broker().startReady());
        Node subscriber = c.subscriber("at-c", TOPIC);
        subscriber.startReady();
        Path source = TestFile.random(testbed.file("file.bin"), 6, 16 * TestFile.MIB);

        // when
        a.broker().kill();
        Topology.awaitLink("b", "c", b);
        b.publisher("publisher", source, TOPIC, "--wait", "1").start().expectExit(0);

        // then
        Delivery.assertSame(subscriber, source, "file.bin");
    }

    @Test
    void shouldKeepToItsLimitWhenASiteIsAwayAndAnArchiveHolds(Testbed testbed) {
        // given
        Network hub = Network.site(testbed, "hub");
        hub.broker().with("--backlog-limit", LIMIT_MIB + "MiB");
        Network leaf = Network.site(testbed, "leaf", hub);
        List.of(hub, leaf).forEach(site -> site.broker().startReady());
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
            hub.publisher("publisher-" + source.getFileName(), source, TOPIC)
                    .start()
                    .expectExit(0);
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

    @Test
    void shouldRefuseANameWhenItIsKeptAtAnotherSite(Testbed testbed) {
        // given
        List<Network> sites = chain(testbed, 2);
        sites.get(0).subscriber("same", TOPIC).startReady();
        Node twin = sites.get(1)
                .node(
                        "twin",
                        "subscribe",
                        TOPIC,
                        "--name",
                        "same",
                        "--broker",
                        sites.get(1).address())
                .with("--into", testbed.directory("twin/into").toString())
                .with("--data", testbed.directory("twin").resolve("data").toString());

        // when
        Child child = twin.start().expectExit(7);

        // then
        assertThat(child.errors()).anyMatch(line -> line.text().contains("kept at another broker"));
    }
}
