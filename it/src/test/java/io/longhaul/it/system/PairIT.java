package io.longhaul.it.system;

import static io.longhaul.it.testbed.BrokerPair.awaitRole;
import static io.longhaul.it.testbed.BrokerPair.role;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.longhaul.it.testbed.BrokerPair;
import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.OutputLine;
import io.longhaul.it.testbed.PartFiles;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import io.longhaul.it.testbed.Trees;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pairs of brokers that lose one. */
@ExtendWith(TestbedExtension.class)
final class PairIT {
    private static final String TOPIC = "pair";
    private static final long LENGTH = 48 * TestFile.MIB;
    private static final int FILES = 16;
    private static final long FILE_LENGTH = 8 * TestFile.MIB;
    private static final Duration TAKEOVER = Duration.ofSeconds(30);

    /** A file on its way, a third of it delivered. */
    private record Transfer(BrokerPair pair, Node publisher, Node subscriber, Path source) {
        static Transfer begin(Testbed testbed, BrokerPair pair, int seed) {
            Node subscriber = pair.subscriber("subscriber", TOPIC);
            subscriber.startReady();
            Path source = TestFile.random(testbed.file("file.bin"), seed, LENGTH);
            Node publisher = pair.publisher("publisher", source, TOPIC, "--wait", "1");
            publisher.start();
            PartFiles.awaitBytes(subscriber, LENGTH / 3);
            return new Transfer(pair, publisher, subscriber, source);
        }

        void assertArrival() {
            publisher.child().expectExit(0);
            Delivery.await(subscriber, 1);
            Delivery.assertSame(subscriber, source, "file.bin");
        }
    }

    @Test
    @Tag("slow")
    void shouldLoseNothingWhenEachBrokerIsKilledInItsTurn(Testbed testbed) {
        // given
        Transfer transfer =
                Transfer.begin(testbed, BrokerPair.witnessed(testbed).startInSync(), 1);
        BrokerPair pair = transfer.pair();

        // when
        pair.first().kill();
        awaitRole(pair.second(), "alone");
        pair.first().start();
        awaitRole(pair.first(), "backup");
        awaitRole(pair.second(), "primary");
        pair.second().kill();
        awaitRole(pair.first(), "alone");

        // then
        transfer.assertArrival();
    }

    /** Some files are at the broker before, some come to the other one, and some are on their way meanwhile. */
    @Test
    void shouldDeliverToAllWhatIsPublishedBeforeDuringAndAfterAFailover(Testbed testbed) {
        // given
        BrokerPair pair = BrokerPair.witnessed(testbed).startInSync();
        List<Node> subscribers = Stream.of("one", "two", "three")
                .map(name -> pair.subscriber(name, TOPIC))
                .toList();
        subscribers.forEach(Node::startReady);
        List<Path> sources = IntStream.range(0, FILES)
                .mapToObj(i -> TestFile.random(testbed.file("file-" + i), 20 + i, FILE_LENGTH))
                .toList();
        Node publisher = pair.publisher("publisher", sources.get(0), TOPIC, "--wait", "3")
                .with(sources.stream().skip(1).map(Path::toString).toArray(String[]::new));

        // when
        publisher.start();
        Delivery.await(subscribers.get(0), 2);
        pair.first().kill();

        // then
        assertThat(subscribers.get(0).events("delivered")).hasSizeLessThan(FILES);
        publisher.child().expectExit(0);
        assertThat(role(pair.second())).isEqualTo("alone");
        for (Node subscriber : subscribers) {
            Delivery.await(subscriber, FILES);
            sources.forEach(source ->
                    Delivery.assertSame(subscriber, source, source.getFileName().toString()));
            assertThat(subscriber.events("delivered")).hasSize(FILES);
        }
    }

    /** Nobody is left who could repair: what was acknowledged must be at the backup. */
    @Test
    void shouldDeliverWhatWasAcknowledgedWhenThePrimaryIsGoneWithItsDisk(Testbed testbed) {
        // given
        BrokerPair pair = BrokerPair.witnessed(testbed).startInSync();
        Node subscriber = pair.subscriber("subscriber", TOPIC);
        subscriber.startReady().terminate();
        subscriber.child().expectExit(0);
        Path source = TestFile.random(testbed.file("file.bin"), 2, LENGTH);
        Node publisher = pair.publisher("publisher", source, TOPIC);
        publisher.start();

        // when
        publisher.child().expectExit(0);
        pair.first().kill();
        long gone = System.nanoTime();
        Trees.delete(pair.first().data());
        awaitRole(pair.second(), "alone");
        Duration takeover = Duration.ofNanos(System.nanoTime() - gone);
        subscriber.start();
        List<String> roles = BrokerPair.roles(pair.second());

        // then
        System.out.printf("the backup lives %d ms after the primary is gone%n", takeover.toMillis());
        assertThat(takeover).isLessThan(TAKEOVER);
        assertThat(roles.subList(roles.indexOf("backup"), roles.size())).doesNotContain("copying");
        OutputLine delivered = Delivery.await(subscriber, 1);
        assertThat(delivered.number("repairedBytes")).isZero();
        Delivery.assertSame(subscriber, source, "file.bin");
    }

    @Test
    void shouldLoseNothingWhenOneIsStoppedAndThenTheOtherOneKilled(Testbed testbed) {
        // given
        Transfer transfer =
                Transfer.begin(testbed, BrokerPair.witnessed(testbed).startInSync(), 9);
        BrokerPair pair = transfer.pair();

        // when
        pair.first().child().terminate();
        pair.first().child().expectExit(0);
        pair.first().start();
        awaitRole(pair.first(), "backup");
        awaitRole(pair.second(), "primary");
        pair.second().kill();
        awaitRole(pair.first(), "alone");

        // then
        transfer.assertArrival();
    }

    @Test
    @Tag("slow")
    void shouldHandOverWhenTheBrokersAreStoppedOneAfterTheOther(Testbed testbed) {
        // given
        Transfer transfer =
                Transfer.begin(testbed, BrokerPair.witnessed(testbed).startInSync(), 3);
        BrokerPair pair = transfer.pair();

        // when
        pair.first().child().terminate();
        pair.first().child().expectExit(0);
        pair.first().start();
        awaitRole(pair.first(), "backup");
        pair.second().child().terminate();
        pair.second().child().expectExit(0);
        pair.second().start();
        awaitRole(pair.second(), "backup");

        // then
        transfer.assertArrival();
        assertThat(role(pair.first())).isEqualTo("primary");
    }

    @Test
    @Tag("slow")
    void shouldStepDownWhenItWakesUpAndTheBackupHasTakenOver(Testbed testbed) {
        // given
        Transfer transfer =
                Transfer.begin(testbed, BrokerPair.witnessed(testbed).startInSync(), 4);
        BrokerPair pair = transfer.pair();

        // when
        pair.first().child().pause();
        awaitRole(pair.second(), "alone");
        pair.first().child().resume();

        // then
        awaitRole(pair.first(), "backup");
        assertThat(BrokerPair.roles(pair.first())).containsSubsequence("primary", "over", "backup");
        transfer.assertArrival();
    }

    @Test
    @Tag("slow")
    void shouldGoOnWhenTheWitnessAndThenTheBackupComeAndGo(Testbed testbed) {
        // given
        Transfer transfer =
                Transfer.begin(testbed, BrokerPair.witnessed(testbed).startInSync(), 5);
        BrokerPair pair = transfer.pair();

        // when
        pair.witness().kill().startReady();
        pair.second().kill();
        awaitRole(pair.first(), "alone");
        pair.second().start();

        // then
        awaitRole(pair.second(), "backup");
        transfer.assertArrival();
    }

    /** What it knows of its copy outlasts that it is started anew within its process. */
    @Test
    void shouldTakeOverWhenTheWitnessComesBackAndLiveAgainWhenBothWereStopped(Testbed testbed) {
        // given
        Transfer transfer =
                Transfer.begin(testbed, BrokerPair.witnessed(testbed).startInSync(), 10);
        BrokerPair pair = transfer.pair();

        // when
        pair.witness().kill();
        pair.first().kill();
        pair.second().child().awaitError(line -> line.contains("cannot be asked"), "a line that says what it lacks");
        await().during(Duration.ofSeconds(3)).atMost(Duration.ofSeconds(20)).until(() -> !isLive(pair.second()));
        pair.witness().start();

        // then
        awaitRole(pair.second(), "alone");
        transfer.assertArrival();

        // when the one that lived last comes back later
        pair.second().child().terminate();
        pair.second().child().expectExit(0);
        pair.first().start();
        awaitRole(pair.first(), "copying");
        pair.second().start();

        // then
        awaitRole(pair.second(), "primary");
        awaitRole(pair.first(), "backup");
    }

    @Test
    void shouldNotTakeOverWithoutAWordWhenThereIsNoWitness(Testbed testbed) {
        // given
        BrokerPair pair = BrokerPair.lone(testbed).startInSync();
        Transfer transfer = Transfer.begin(testbed, pair, 6);

        // when
        pair.first().kill();
        pair.second().child().awaitError(line -> line.contains("does not take over"), "a line that says so");
        awaitRole(pair.second(), "copying");
        await().during(Duration.ofSeconds(1)).atMost(Duration.ofSeconds(20)).until(() -> !isLive(pair.second()));
        pair.second().kill();
        Node second = pair.secondTakingOver();
        second.start();
        awaitRole(second, "alone");
        pair.first().start();

        // then
        awaitRole(pair.first(), "backup");
        transfer.assertArrival();
    }

    private static boolean isLive(Node broker) {
        return role(broker).equals("alone") || role(broker).equals("primary");
    }

    @Test
    @Tag("slow")
    void shouldNotTakeOverOnAWordWhenItsCopyIsStale(Testbed testbed) {
        // given
        BrokerPair pair = BrokerPair.witnessed(testbed).startInSync();
        pair.second().kill();
        awaitRole(pair.first(), "alone");
        pair.first().kill();

        // when
        pair.second().with("--take-over").start();

        // then
        pair.second().child().awaitError(line -> line.contains("has gone on alone"), "a line that says why not");
        pair.first().start();
        awaitRole(pair.second(), "backup");
    }

    @Test
    @Tag("slow")
    void shouldCarryOverItsLinksWhenThePrimaryIsKilled(Testbed testbed) {
        // given
        BrokerPair pair = BrokerPair.witnessed(testbed);
        pair.witness().with("--link", pair.address());
        pair.startInSync();
        Node subscriber = pair.third().subscriber("subscriber", TOPIC);
        subscriber.startReady();
        Path source = TestFile.random(testbed.file("file.bin"), 8, LENGTH);
        Node publisher = pair.publisher("publisher", source, TOPIC, "--wait", "1");
        publisher.start();
        PartFiles.awaitBytes(subscriber, LENGTH / 3);

        // when
        pair.first().kill();

        // then
        new Transfer(pair, publisher, subscriber, source).assertArrival();
    }
}
