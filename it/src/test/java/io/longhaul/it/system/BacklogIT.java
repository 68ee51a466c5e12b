package io.longhaul.it.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.OutputLine;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import io.longhaul.it.testbed.Trees;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A stopped subscriber's backlog: dropped beyond the limit where a holder has leased the transfer, kept otherwise. */
@ExtendWith(TestbedExtension.class)
final class BacklogIT {
    private static final String TOPIC = "backlog";
    private static final long LIMIT = 96 * TestFile.MIB;

    /** Journal files that are always there, ready to be written. */
    private static final long JOURNAL = 1024 * TestFile.MIB;

    /** Pages that are not yet free, because one message in them still waits. */
    private static final long SLACK = 64 * TestFile.MIB;

    @Test
    void shouldRepairStoppedSubscriberFromArchiveWhenItsBacklogWasDropped(Testbed testbed) {
        // given
        Network network = Network.of(testbed, "--backlog-limit", Long.toString(LIMIT));
        network.broker().startReady();
        network.archive("archive", TOPIC).startReady();
        List<Node> others = network.subscribers("subscriber", 2, TOPIC);
        others.forEach(Node::startReady);
        Node stopped = network.subscriber("stopped", TOPIC);
        stopped.startReady().pause();
        Path source = TestFile.random(testbed.file("backlog.bin"), 1, 240 * TestFile.MIB);

        // when
        Node publisher = network.publisher("publisher", source, TOPIC, "--wait", "3"); // the archive's, too
        publisher.start().expectExit(0);
        Trees.delete(publisher.home());
        network.broker()
                .child()
                .awaitError(line -> line.contains("stopped") && line.contains("; dropped "), "a line on the backlog");
        awaitSmall(network.broker().data(), JOURNAL + LIMIT + SLACK);
        network.broker().kill().startReady();
        stopped.child().resume();

        // then
        OutputLine late = Delivery.await(stopped, 1, Duration.ofMinutes(3));
        Delivery.assertSame(stopped, source, "backlog.bin");
        assertThat(late.number("repairedBytes"))
                .as("repaired at the stopped one")
                .isGreaterThan(TestFile.MIB);
        for (Node other : others) {
            OutputLine delivered = Delivery.await(other, 1);
            assertThat(delivered.number("repairedBytes"))
                    .as(other.label() + ": repaired")
                    .isZero();
            Delivery.assertSame(other, source, "backlog.bin");
        }
    }

    @Test
    void shouldDropNothingWhenNobodyHoldsTheTransfer(Testbed testbed) {
        // given
        Network network = Network.of(testbed, "--backlog-limit", Long.toString(LIMIT));
        network.broker().startReady();
        Node stopped = network.subscriber("stopped", TOPIC);
        stopped.startReady().pause();
        Path source = TestFile.random(testbed.file("kept.bin"), 2, 160 * TestFile.MIB);
        String digest = TestFile.digest(source);

        // when
        network.publisher("publisher", source, TOPIC).start().expectExit(0);
        Trees.delete(source);
        network.broker().kill().startReady();
        stopped.child().resume();

        // then
        OutputLine late = Delivery.await(stopped, 1, Duration.ofMinutes(3));
        assertThat(TestFile.digest(stopped.into().resolve("kept.bin"))).isEqualTo(digest);
        assertThat(late.number("repairedBytes")).isZero();
    }

    private static void awaitSmall(Path directory, long bytes) {
        await().pollInterval(Duration.ofMillis(200))
                .atMost(Child.PATIENCE)
                .untilAsserted(() -> assertThat(Trees.allocatedBytes(directory))
                        .as("bytes on the broker's disk")
                        .isLessThan(bytes));
    }
}
