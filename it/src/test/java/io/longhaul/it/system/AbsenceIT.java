package io.longhaul.it.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.CountedWire;
import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.OutputLine;
import io.longhaul.it.testbed.PartFiles;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import io.longhaul.it.testbed.Trees;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nodes that are away, gone or stopped while others go on. Each test has a topic and names of its own at one broker. */
@ExtendWith(TestbedExtension.class)
final class AbsenceIT {
    private static Network shared;

    @BeforeAll
    static void startBroker(Testbed testbed) {
        shared = Network.of(testbed, "--backlog-limit", "256MiB");
        shared.broker().startReady();
    }

    @Test
    void shouldDeliverEverythingWhenSubscriberWasOfflineDuringTheWholeTransfer(Testbed testbed) {
        // given
        Network network = shared.in(testbed);
        String topic = "absence.late";
        Node subscriber = network.subscriber("late", topic);
        subscriber.startReady().terminate();
        subscriber.child().expectExit(0);
        Path source = TestFile.random(testbed.file("late.bin"), 1, 24 * TestFile.MIB + 1);

        // when
        network.publisher("publisher", source, topic).start().expectExit(0);
        subscriber.start();

        // then
        Delivery.await(subscriber, 1);
        Delivery.assertSame(subscriber, source, "late.bin");
    }

    @Test
    void shouldDeliverByPriorityWhenSeveralTransfersWait(Testbed testbed) {
        // given
        Network network = shared.in(testbed);
        String topic = "absence.priority";
        Node subscriber = network.subscriber("choosy", topic);
        subscriber.startReady().terminate();
        subscriber.child().expectExit(0);
        Path bulk = TestFile.random(testbed.file("bulk.bin"), 7, 40 * TestFile.MIB);
        Path urgent = TestFile.random(testbed.file("urgent.bin"), 8, 2 * TestFile.MIB);

        // when
        network.publisher("bulk", bulk, topic, "--priority", "1").start().expectExit(0);
        network.publisher("urgent", urgent, topic, "--priority", "9").start().expectExit(0);
        subscriber.start();

        // then
        Delivery.await(subscriber, 2);
        assertThat(subscriber.events("delivered"))
                .extracting(line -> line.text("path"))
                .satisfiesExactly(
                        first -> assertThat(first).endsWith("urgent.bin"),
                        second -> assertThat(second).endsWith("bulk.bin"));
    }

    @Test
    void shouldDeliverWithoutPublisherWhenItsLastPieceWasAcknowledged(Testbed testbed) {
        // given
        Network network = shared.in(testbed);
        String topic = "absence.orphan";
        Node subscriber = network.subscriber("heir", topic);
        subscriber.startReady().pause();
        Path source = TestFile.random(testbed.file("orphan.bin"), 2, 24 * TestFile.MIB);
        String digest = TestFile.digest(source);

        // when
        network.publisher("publisher", source, topic, "--wait", "none").start().expectExit(0);
        Trees.delete(source);
        Trees.delete(testbed.directory("publisher"));
        network.broker().kill().startReady();
        subscriber.child().resume();

        // then
        OutputLine delivered = Delivery.await(subscriber, 1);
        assertThat(delivered.text("digest")).isEqualTo(digest);
        assertThat(TestFile.digest(subscriber.into().resolve("orphan.bin"))).isEqualTo(digest);
    }

    @Test
    void shouldEndAsNewerOneWhenTransferOfSameNameOvertakesInFlight(Testbed testbed) {
        // given
        Network network = shared.in(testbed);
        String topic = "absence.overtaken";
        List<Node> subscribers = network.subscribers("overtaken", 2, topic);
        subscribers.forEach(Node::startReady);
        Path first = TestFile.random(testbed.file("first.bin"), 3, 64 * TestFile.MIB);
        Path second = TestFile.random(testbed.file("second.bin"), 4, 8 * TestFile.MIB + 7);
        subscribers.get(0).child().pause();

        // when
        Node slow = network.publisher("publisher1", first, topic, "--name", "same.bin");
        slow.start().expectExit(0);
        Node fast = network.publisher("publisher2", second, topic, "--name", "same.bin", "--wait", "2");
        fast.start();
        subscribers.get(0).child().resume();
        fast.child().expectExit(0);

        // then
        for (Node subscriber : subscribers) {
            Delivery.assertSame(subscriber, second, "same.bin");
            assertThat(Trees.visible(subscriber.into())).containsExactly("same.bin");
        }
    }

    @Test
    void shouldEndAsNewerOneWhenOlderPublisherStillSends(Testbed testbed) {
        // given
        Network network = shared.in(testbed);
        String topic = "absence.superseded";
        CountedWire wire = CountedWire.open(testbed, network.address());
        Node subscriber = network.subscriber("superseded", topic);
        subscriber.startReady();
        Path first = TestFile.random(testbed.file("first.bin"), 5, 96 * TestFile.MIB);
        Path second = TestFile.random(testbed.file("second.bin"), 6, 3 * TestFile.MIB + 1);

        // when
        Node older = network.behind(wire).publisher("publisher1", first, topic, "--name", "same.bin", "--wait", "1");
        wire.holdBehind(32 * TestFile.MIB);
        older.start();
        PartFiles.awaitFirst(subscriber);
        older.child().pause();
        Node newer = network.publisher("publisher2", second, topic, "--name", "same.bin", "--wait", "1");
        newer.start().expectExit(0);
        wire.goOn();
        older.child().resume();
        older.child().awaitExit(Child.PATIENCE);

        // then
        Delivery.assertSame(subscriber, second, "same.bin");
        List<OutputLine> receipts = older.events("receipt");
        assertThat(receipts).hasSize(1);
        assertThat(receipts.get(0).text("outcome")).isEqualTo("superseded");
    }

    @Test
    void shouldServeTheOthersWhenOneOfThreeIsStopped(Testbed testbed) {
        // given
        Network network = shared.in(testbed);
        String topic = "absence.stopped";
        List<Node> subscribers = network.subscribers("other", 3, topic);
        subscribers.forEach(Node::startReady);
        Path source = TestFile.random(testbed.file("stopped.bin"), 7, 48 * TestFile.MIB);
        Node stopped = subscribers.get(2);
        stopped.child().pause();

        // when
        network.publisher("publisher", source, topic, "--wait", "2").start().expectExit(0);

        // then
        subscribers.subList(0, 2).forEach(subscriber -> Delivery.assertSame(subscriber, source, "stopped.bin"));
        Delivery.assertNothingVisible(stopped);
        stopped.child().resume();
        Delivery.await(stopped, 1);
        Delivery.assertSame(stopped, source, "stopped.bin");
    }

    @Test
    void shouldDeliverLaterWhenSpooledWhileBrokerIsAway(Testbed testbed) {
        // given
        Network network = shared.in(testbed);
        String topic = "absence.spooled";
        Node subscriber = network.subscriber("waiting", topic);
        subscriber.startReady();
        network.broker().kill();
        Path source = TestFile.random(testbed.file("spooled.bin"), 8, 20 * TestFile.MIB);
        String digest = TestFile.digest(source);

        // when
        Node publisher = network.publisher("publisher", source, topic, "--spool", "--wait", "1");
        publisher.start().awaitEvent("spooled");
        Trees.delete(source);
        publisher.kill();
        publisher.start();
        network.broker().start();

        // then
        publisher.child().expectExit(0);
        assertThat(TestFile.digest(subscriber.into().resolve("spooled.bin"))).isEqualTo(digest);
    }
}
