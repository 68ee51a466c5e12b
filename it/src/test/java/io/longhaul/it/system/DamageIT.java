package io.longhaul.it.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.testbed.Answer;
import io.longhaul.it.testbed.Bytes;
import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.CountedWire;
import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.PartFiles;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import io.longhaul.it.testbed.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Bytes that changed on a disk are found, named, and repaired or refused; they are never delivered. */
@ExtendWith(TestbedExtension.class)
final class DamageIT {
    private static final String TOPIC = "damage";

    /** For damage at agents: tests of it have topics and names of their own. */
    private static Network shared;

    @BeforeAll
    static void startBroker(Testbed testbed) {
        shared = Network.of(testbed);
        shared.broker().startReady();
    }

    @Test
    void shouldRepairFromArchiveWhenPartFileIsDamaged(Testbed testbed) {
        // given
        Network network = shared.in(testbed);
        String topic = TOPIC + ".part";
        network.archive("archive", topic).startReady();
        CountedWire wire = CountedWire.open(testbed, network.address());
        Node subscriber = network.behind(wire).subscriber("part", topic);
        subscriber.startReady();
        Path source = TestFile.random(testbed.file("part.bin"), 1, 128 * TestFile.MIB);

        // when
        wire.holdBehind(96 * TestFile.MIB);
        Node publisher = network.publisher("publisher", source, topic);
        publisher.start();
        // Two batches of 16 MiB may be written and not yet in the ledger: the damaged piece is to be before them.
        PartFiles.awaitBytes(subscriber, 48 * TestFile.MIB);
        subscriber.kill();
        publisher.child().expectExit(0);
        Path part = PartFiles.of(subscriber).stream()
                .max(Comparator.comparing(Trees::allocated))
                .orElseThrow();
        TestFile.flip(part, 2 * TestFile.MIB + 17);
        wire.goOn();
        subscriber.start();

        // then
        long repaired = Delivery.await(subscriber, 1).number("repairedBytes");
        Delivery.assertSame(subscriber, source, "part.bin");
        assertThat(repaired).as("bytes that came by repair").isBetween(1L, 4 * TestFile.MIB);
        subscriber
                .child()
                .awaitError(line -> line.contains("part.bin") && line.contains("damage"), "a line on the damage");
    }

    @Test
    void shouldRefuseDamagedSpoolAndNameIt(Testbed testbed) {
        // given
        Network network = shared.in(testbed);
        String topic = TOPIC + ".spool";
        Node subscriber = network.subscriber("spool", topic);
        subscriber.startReady();
        network.broker().kill();
        Path source = TestFile.random(testbed.file("spool.bin"), 2, 8 * TestFile.MIB);
        Node publisher = network.publisher("publisher", source, topic, "--spool", "--wait", "1");
        publisher.start().awaitEvent("spooled");
        publisher.kill();

        // when
        Path segment = Trees.files(publisher.data().resolve("spool")).stream()
                .max(Comparator.comparing(Trees::allocated))
                .orElseThrow();
        flipPieceIn(segment, source);
        Trees.delete(source);
        network.broker().start();
        publisher.start();

        // then
        assertThat(publisher.child().awaitExit(Child.PATIENCE)).isIn(4, 5);
        assertThat(publisher.child().story()).contains("spool");
        Delivery.assertNothingVisible(subscriber);
    }

    @Test
    void shouldNeverDeliverWhatBrokerJournalHasDamaged(Testbed testbed) {
        // given
        Network network = Network.of(testbed);
        network.broker().startReady();
        Node subscriber = network.subscriber("subscriber", TOPIC);
        subscriber.startReady().terminate();
        subscriber.child().expectExit(0);
        Node archive = network.archive("archive", TOPIC);
        archive.startReady();
        Path source = TestFile.random(testbed.file("journal.bin"), 3, 24 * TestFile.MIB);
        network.publisher("publisher", source, TOPIC, "--wait", "1").start().expectExit(0);

        // when
        network.broker().kill();
        Path damaged = flipPieceIn(Trees.files(network.broker().data()), source);
        System.out.println("damaged " + damaged);
        network.broker().startReady();
        subscriber.start();

        // then
        Delivery.await(subscriber, 1);
        Delivery.assertSame(subscriber, source, "journal.bin");
        Awaitility.await()
                .atMost(Child.PATIENCE)
                .untilAsserted(() -> assertThat(network.broker().child().story()
                                + subscriber.child().story())
                        .as("the damage is named")
                        .containsIgnoringCase("damaged"));
    }

    /** Nobody else has the transfers: their publishers, who wait for the receipts, tell the rest. */
    @Test
    void shouldEndTransfersWhenBrokerJournalHasDamagedTheirOnlyManifestOrSeal(Testbed testbed) {
        // given
        Network network = Network.of(testbed);
        network.broker().startReady();
        Node subscriber = network.subscriber("subscriber", TOPIC);
        subscriber.startReady().terminate();
        subscriber.child().expectExit(0);
        Path manifest = TestFile.random(testbed.file("manifest.bin"), 5, 12 * TestFile.MIB);
        Path seal = TestFile.random(testbed.file("seal.bin"), 6, 12 * TestFile.MIB);
        List<Node> publishers = List.of(
                network.publisher("publisher1", manifest, TOPIC, "--wait", "1"),
                network.publisher("publisher2", seal, TOPIC, "--wait", "1"));
        publishers.forEach(Node::start);
        publishers.forEach(publisher -> awaitSent(network, publisher));

        // when
        network.broker().kill();
        List<Path> journal = Trees.files(network.broker().data());
        flip(journal, "\"name\":\"manifest.bin\"".getBytes(StandardCharsets.UTF_8));
        flip(journal, ("\"digest\":\"" + TestFile.digest(seal) + "\"").getBytes(StandardCharsets.UTF_8));
        network.broker().startReady();
        subscriber.start();

        // then
        Delivery.await(subscriber, 2);
        Delivery.assertSame(subscriber, manifest, "manifest.bin");
        Delivery.assertSame(subscriber, seal, "seal.bin");
        Awaitility.await()
                .atMost(Child.PATIENCE)
                .untilAsserted(() -> assertThat(subscriber.child().messages().stream()
                                .filter(line -> line.contains("damaged message was dropped"))
                                .distinct())
                        .as("a line on each damage, which names the transfer")
                        .hasSize(2));
        publishers.forEach(publisher -> publisher.child().expectExit(0));
    }

    private static void awaitSent(Network network, Node publisher) {
        Awaitility.await()
                .atMost(Child.PATIENCE)
                .untilAsserted(() -> assertThat(network.run(
                                        0,
                                        "transfers",
                                        "--data",
                                        publisher.data().toString())
                                .story())
                        .contains("\"state\":\"sent\""));
    }

    @Test
    void shouldReportDamagedDeliveryWhenLedgerIsAskedToVerify(Testbed testbed) throws IOException {
        // given
        Network network = shared.in(testbed);
        String topic = TOPIC + ".later";
        Node subscriber = network.subscriber("later", topic, "--count", "1");
        subscriber.startReady();
        Path source = TestFile.random(testbed.file("later.bin"), 4, 3 * TestFile.MIB);
        network.publish("publisher", source, topic, "--wait", "1");
        subscriber.child().expectExit(0);

        // when
        network.run(0, "transfers", "--verify", "--data", subscriber.data().toString());
        TestFile.flip(subscriber.into().resolve("later.bin"), TestFile.MIB);

        // then
        Answer check = network.run(
                5, "transfers", "--verify", "--data", subscriber.data().toString());
        assertThat(check.story()).contains("later.bin");
        assertThat(Files.size(subscriber.into().resolve("later.bin"))).isEqualTo(3 * TestFile.MIB);
    }

    private static void flipPieceIn(Path file, Path source) {
        flipPieceIn(List.of(file), source);
    }

    /** Inverts a byte in the middle of the source's third MiB, wherever one of the files holds it. */
    private static Path flipPieceIn(List<Path> files, Path source) {
        return flip(files, Bytes.read(source, 2 * TestFile.MIB + 300_000, 64));
    }

    /** Inverts a byte in the middle of these bytes, wherever one of the files holds them. */
    private static Path flip(List<Path> files, byte[] wanted) {
        for (Path file : files) {
            long at = Bytes.find(file, wanted);
            if (at >= 0) {
                TestFile.flip(file, at + wanted.length / 2);
                return file;
            }
        }
        throw new AssertionError("none of these files has the bytes: " + files);
    }
}
