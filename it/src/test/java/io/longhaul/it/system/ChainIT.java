package io.longhaul.it.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.PartFiles;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import io.longhaul.it.testbed.Topology;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Brokers of three sites, of which each but the first links to the one before it; the same for all tests, which have topics and
 * subscriptions of their own. The name of each site but the first ends that of another one, which must confuse nobody.
 *
 * <p>Those that count bytes come first: the links have carried nothing then.
 */
@ExtendWith(TestbedExtension.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class ChainIT {
    private static final String FIRST = "x-site-b";
    private static final String MIDDLE = "site-b";
    private static final String LAST = "b";
    private static final double MOST_PER_LINK = 1.03;

    private static List<Network> shared;

    private Network first;
    private Network middle;
    private Network last;

    @BeforeAll
    static void startBrokers(Testbed testbed) {
        Network first = Network.site(testbed, FIRST);
        Network middle = Network.site(testbed, MIDDLE, first);
        shared = List.of(first, middle, Network.site(testbed, LAST, middle));
        Network.startAll(shared);
    }

    @BeforeEach
    void join(Testbed testbed) {
        first = shared.get(0).in(testbed);
        middle = shared.get(1).in(testbed);
        last = shared.get(2).in(testbed);
        // those that were started anew serve before their links do
        Topology.awaitLink(MIDDLE, FIRST, first);
        Topology.awaitLink(LAST, MIDDLE, first);
    }

    private static long sent(Network asked, String from, String to) {
        return Topology.of(asked).ofLink(from, to, "sentBytes");
    }

    @Test
    @Order(2)
    void shouldCarryOneCopyOverEachLinkWhenSeveralSubscribe(Testbed testbed) {
        // given
        String topic = "chain.copies";
        List<Node> subscribers = List.of(
                middle.subscriber("copy-1", topic), last.subscriber("copy-2", topic), last.subscriber("copy-3", topic));
        subscribers.forEach(Node::start);
        subscribers.forEach(subscriber -> subscriber.child().awaitReady());
        Path source = TestFile.random(testbed.file("file.bin"), 1, 48 * TestFile.MIB + 5);
        long toMiddle = sent(first, FIRST, MIDDLE);
        long toLast = sent(first, MIDDLE, LAST);

        // when
        Node publisher = first.publisher("publisher", source, topic, "--wait", "3");
        publisher.start().expectExit(0);

        // then
        subscribers.forEach(subscriber -> Delivery.assertSame(subscriber, source, "file.bin"));
        assertThat(publisher.events("receipt"))
                .extracting(line -> line.text("subscription"))
                .containsExactlyInAnyOrder("copy-1", "copy-2", "copy-3");
        long length = source.toFile().length();
        Awaitility.await().atMost(Child.PATIENCE).untilAsserted(() -> {
            assertThat(sent(first, FIRST, MIDDLE) - toMiddle)
                    .as("bytes from the first to the middle")
                    .isBetween(length, (long) (MOST_PER_LINK * length));
            assertThat(sent(first, MIDDLE, LAST) - toLast)
                    .as("bytes from the middle to the last")
                    .isBetween(length, (long) (MOST_PER_LINK * length));
        });
    }

    @Test
    @Order(1)
    void shouldCarryNothingWhenNobodyBeyondTheLinkSubscribes(Testbed testbed) {
        // given
        String topic = "chain.near";
        first.subscriber("near", topic).startReady();
        Path source = TestFile.random(testbed.file("file.bin"), 2, 8 * TestFile.MIB);

        // when
        first.publish("publisher", source, topic, "--wait", "1");

        // then
        assertThat(sent(first, FIRST, MIDDLE)).isLessThan(100_000);
    }

    @Test
    void shouldGoOnWhenTheBrokerInTheMiddleIsKilled(Testbed testbed) {
        // given
        String topic = "chain.killed";
        Node subscriber = last.subscriber("far", topic);
        subscriber.startReady();
        Path source = TestFile.random(testbed.file("file.bin"), 3, 96 * TestFile.MIB);
        Node publisher = first.publisher("publisher", source, topic, "--wait", "1");

        // when
        publisher.start();
        PartFiles.awaitBytes(subscriber, 16 * TestFile.MIB);
        middle.broker().kill().startReady();

        // then
        publisher.child().expectExit(0);
        Delivery.assertSame(subscriber, source, "file.bin");
    }

    @Test
    void shouldKeepWhatIsOwedWhenEveryBrokerIsKilledAndTheSubscriberAway(Testbed testbed) {
        // given
        String topic = "chain.owed";
        Node subscriber = last.subscriber("away", topic);
        subscriber.startReady().terminate();
        subscriber.child().expectExit(0);
        last.broker().kill();
        Path source = TestFile.random(testbed.file("file.bin"), 4, 24 * TestFile.MIB);

        // when
        first.publisher("publisher", source, topic).start().expectExit(0);
        first.broker().kill().startReady();
        middle.broker().kill().startReady();
        last.broker().startReady();
        subscriber.start();

        // then
        Delivery.await(subscriber, 1);
        Delivery.assertSame(subscriber, source, "file.bin");
    }

    @Test
    void shouldRefuseANameWhenItIsKeptAtAnotherSite(Testbed testbed) {
        // given
        String topic = "chain.names";
        first.subscriber("same", topic).startReady();
        Node twin = middle.node("twin", "subscribe", topic, "--name", "same", "--broker", middle.address())
                .with("--into", testbed.directory("twin/into").toString())
                .with("--data", testbed.directory("twin").resolve("data").toString());

        // when
        Child child = twin.start().expectExit(7);

        // then
        assertThat(child.errors()).anyMatch(line -> line.text().contains("kept at another broker"));
    }
}
