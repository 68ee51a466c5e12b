package io.longhaul.it.powerloss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What was acknowledged, receipted or renamed into place survives a power cut.
 *
 * <p>Each promise is tested twice: with all forces, where it must hold, and with one kind of force ignored by the disk,
 * where the same check must see the loss; the latter, and more lots, with {@code -Dslow}. The number is the lot by which
 * files keep unforced bytes; 0: none does.
 */
@ExtendWith(TestbedExtension.class)
final class PowerLossIT {
    private static final String TOPIC = "power.loss";

    /** How long a loss is given to turn out to be none; a delivery of these sizes takes a second or two. */
    private static final Duration SOON = Child.PATIENCE;

    /** The same where a loss is expected. */
    private static final Duration LOST = Duration.ofSeconds(8);

    private static Duration patience(String deaf) {
        return deaf.isEmpty() ? SOON : LOST;
    }

    @Test
    void shouldStartAgainWhenBrokerLosesPowerAsSoonAsItServes(Testbed testbed) {
        startAndCutBroker(testbed, 0);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    @Tag("slow")
    void shouldStartAgainWhenSomeIsLeftOfWhatTheBrokerMade(long lot, Testbed testbed) {
        startAndCutBroker(testbed, lot);
    }

    private static void startAndCutBroker(Testbed testbed, long lot) {
        // given
        Network network = Network.of(testbed);
        FragileMachine machine = FragileMachine.of(testbed, network.broker());
        network.broker().startReady().kill();

        // when
        machine.cut(lot);

        // then
        assertThat(network.broker().data()).as("the broker's directory").isNotEmptyDirectory();
        assertThat(network.broker().data().resolve("journal")).as("its journal").isNotEmptyDirectory();
        network.broker().startReady();
    }

    @Test
    void shouldDeliverEverythingWhenBrokerLosesPowerAfterPublishersAnswer(Testbed testbed) {
        publishAndCutBroker(testbed, 0, "");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    @Tag("slow")
    void shouldDeliverEverythingWhenSomeIsLeftOfWhatTheBrokerDidNotForce(long lot, Testbed testbed) {
        publishAndCutBroker(testbed, lot, "");
    }

    @Test
    @Tag("slow")
    void shouldSeeTheLossWhenBrokersJournalIsNotForced(Testbed testbed) {
        assertThatThrownBy(() -> publishAndCutBroker(testbed, 0, "file:.amq")).isInstanceOf(AssertionError.class);
    }

    /** Publishes while the only subscriber is away; then only the broker's disk has the bytes. */
    private static void publishAndCutBroker(Testbed testbed, long lot, String deaf) {
        // given
        Network network = Network.of(testbed);
        FragileMachine machine = FragileMachine.of(testbed, network.broker());
        network.broker().withVariable("POWERLOSS_DEAF", deaf).startReady();
        Node subscriber = network.subscriber("subscriber", TOPIC);
        subscriber.startReady().terminate();
        subscriber.child().expectExit(0);
        Path source = TestFile.random(testbed.file("acknowledged.bin"), lot, 24 * TestFile.MIB + 1);

        // when
        network.publisher("publisher", source, TOPIC).start().expectExit(0);
        network.broker().kill();
        machine.cut(lot);
        network.broker().startReady();
        subscriber.start();

        // then
        Delivery.await(subscriber, 1, patience(deaf));
        Delivery.assertSame(subscriber, source, "acknowledged.bin");
    }

    @Test
    void shouldHaveFileInPlaceWhenSubscriberLosesPowerAfterItsReceipt(Testbed testbed) {
        receiveAndCutSubscriber(testbed, 0, "");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    @Tag("slow")
    void shouldHaveFileInPlaceWhenSomeIsLeftOfWhatTheSubscriberDidNotForce(long lot, Testbed testbed) {
        receiveAndCutSubscriber(testbed, lot, "");
    }

    @Test
    void shouldHaveManySmallFilesInPlaceWhenSubscriberLosesPowerAfterTheirReceipt(Testbed testbed) throws IOException {
        receiveManyAndCutSubscriber(testbed, "");
    }

    /** While much waits to be written, be it another program's, each file is forced by itself: those forces are ignored, too. */
    @Test
    @Tag("slow")
    void shouldSeeTheLossWhenTheFileSystemIsNotSynced(Testbed testbed) {
        assertThatThrownBy(() -> receiveManyAndCutSubscriber(testbed, "fs:/,file:into/"))
                .isInstanceOf(AssertionError.class);
    }

    private static void receiveManyAndCutSubscriber(Testbed testbed, String deaf) throws IOException {
        // given
        Network network = Network.of(testbed);
        network.broker().startReady();
        Node subscriber = network.subscriber("subscriber", TOPIC);
        FragileMachine machine = FragileMachine.of(testbed, subscriber);
        subscriber.withVariable("POWERLOSS_DEAF", deaf).startReady();
        Path source = Files.createDirectories(testbed.file("many"));
        for (int i = 0; i < 400; i++) {
            Files.writeString(source.resolve("file" + i), "content of " + i);
        }

        // when
        network.publisher("publisher", source, TOPIC, "--wait", "1").start().expectExit(0);
        subscriber.kill();
        machine.cut(0);

        // then
        for (int i = 0; i < 400; i++) {
            assertThat(subscriber.into().resolve("many/file" + i)).hasContent("content of " + i);
        }
    }

    @ParameterizedTest
    @CsvSource({"file:into/", "dir:into/"})
    @Tag("slow")
    void shouldSeeTheLossWhenDeliveredFileIsNotForced(String deaf, Testbed testbed) {
        assertThatThrownBy(() -> receiveAndCutSubscriber(testbed, 0, deaf)).isInstanceOf(AssertionError.class);
    }

    private static void receiveAndCutSubscriber(Testbed testbed, long lot, String deaf) {
        // given
        Network network = Network.of(testbed);
        network.broker().startReady();
        Node subscriber = network.subscriber("subscriber", TOPIC);
        FragileMachine machine = FragileMachine.of(testbed, subscriber);
        subscriber.withVariable("POWERLOSS_DEAF", deaf).startReady();
        Path source = TestFile.random(testbed.file("receipted.bin"), lot, 20 * TestFile.MIB + 1);
        Path next = TestFile.random(testbed.file("next.bin"), lot + 1, 2 * TestFile.MIB);

        // when
        network.publisher("publisher", source, TOPIC, "--wait", "1").start().expectExit(0);
        subscriber.kill();
        machine.cut(lot);

        // then
        Delivery.assertSame(subscriber, source, "receipted.bin");
        assertThat(subscriber.into().resolve("receipted.bin").toFile().lastModified())
                .isEqualTo(source.toFile().lastModified());
        subscriber.start();
        network.publisher("publisher2", next, TOPIC, "--wait", "1").start().expectExit(0);
        Delivery.assertSame(subscriber, next, "next.bin");
        Delivery.assertSame(subscriber, source, "receipted.bin");
        OutputLine last = subscriber.child().awaitEvents("delivered", 1, SOON).get(0);
        assertThat(last.number("duplicateBytes")).as("pieces that came again").isZero();
    }

    /** Nothing unforced is left the first time, some of it the second time. */
    @Test
    void shouldMissNothingItAcknowledgedWhenSubscriberLosesPowerAgainAndAgain(Testbed testbed) {
        receiveBetweenCuts(testbed, "", 0, 12);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 10})
    @Tag("slow")
    void shouldMissNothingItAcknowledgedWhenSubscriberLosesPowerMoreOften(long lot, Testbed testbed) {
        receiveBetweenCuts(testbed, "", lot, lot == 0 ? 0 : lot + 1, lot == 0 ? 0 : lot + 2);
    }

    @ParameterizedTest
    @CsvSource({"file:into/.longhaul", "file:ledger"})
    @Tag("slow")
    void shouldSeeTheLossWhenPiecesAreAcknowledgedUnforced(String deaf, Testbed testbed) {
        assertThatThrownBy(() -> receiveBetweenCuts(testbed, deaf, 0, 0, 0)).isInstanceOf(AssertionError.class);
    }

    /** The publisher is gone and nobody holds the transfer: what was acknowledged exists at the subscriber alone. */
    private static void receiveBetweenCuts(Testbed testbed, String deaf, long... lots) {
        // given
        Network network = Network.of(testbed);
        network.broker().startReady();
        CountedWire wire = CountedWire.open(testbed, network.address());
        Node subscriber = network.behind(wire).subscriber("subscriber", TOPIC);
        FragileMachine machine = FragileMachine.of(testbed, subscriber);
        subscriber.withVariable("POWERLOSS_DEAF", deaf).startReady().pause();
        // more than passes before the last cut
        long length = (lots.length * 80L + 16) * TestFile.MIB;
        Path source = TestFile.random(testbed.file("between.bin"), lots.length, length);
        network.publisher("publisher", source, TOPIC).start().expectExit(0);

        // when
        wire.holdBehind(80 * TestFile.MIB);
        subscriber.child().resume();
        for (int cut = 1; cut <= lots.length; cut++) {
            PartFiles.awaitBytes(subscriber, cut * 24 * TestFile.MIB, patience(deaf));
            subscriber.kill();
            machine.cut(lots[cut - 1]);
            wire.holdBehind(80 * TestFile.MIB); // what was not acknowledged comes again
            subscriber.start();
        }
        wire.goOn();

        // then
        Delivery.await(subscriber, 1, patience(deaf));
        Delivery.assertSame(subscriber, source, "between.bin");
    }

    @Test
    void shouldPublishFromSpoolWhenPublisherLosesPowerAfterItsAnswer(Testbed testbed) {
        spoolAndCutPublisher(testbed, "");
    }

    @ParameterizedTest
    @CsvSource({"file:spool/", "dir:data/", "file:ledger"})
    @Tag("slow")
    void shouldSeeTheLossWhenSpoolIsNotForced(String deaf, Testbed testbed) {
        assertThatThrownBy(() -> spoolAndCutPublisher(testbed, deaf)).isInstanceOf(AssertionError.class);
    }

    private static void spoolAndCutPublisher(Testbed testbed, String deaf) {
        // given
        Network network = Network.of(testbed);
        network.broker().startReady();
        Node subscriber = network.subscriber("subscriber", TOPIC);
        subscriber.startReady();
        network.broker().kill();
        Path source = TestFile.random(testbed.file("spooled.bin"), 3, 24 * TestFile.MIB + 1);
        String digest = TestFile.digest(source);
        Node publisher = network.publisher("publisher", source, TOPIC, "--spool", "--wait", "1", "--timeout", "60s");
        FragileMachine machine = FragileMachine.of(testbed, publisher);

        // when
        publisher.withVariable("POWERLOSS_DEAF", deaf).start().awaitEvent("spooled");
        publisher.kill();
        machine.cut(0);
        Trees.delete(source);
        network.broker().start();
        publisher.start();

        // then
        publisher.child().expectExit(0);
        assertThat(TestFile.digest(subscriber.into().resolve("spooled.bin"))).isEqualTo(digest);
    }

    @Test
    void shouldGoOnWhenPublisherLosesPowerInTheMiddle(Testbed testbed) {
        publishBetweenCuts(testbed, 0);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 10})
    @Tag("slow")
    void shouldGoOnWhenPublisherLosesPowerAgainAndAgain(long lot, Testbed testbed) {
        publishBetweenCuts(testbed, lot, lot == 0 ? 0 : lot + 1);
    }

    private static void publishBetweenCuts(Testbed testbed, long... lots) {
        // given
        Network network = Network.of(testbed);
        network.broker().startReady();
        Node subscriber = network.subscriber("subscriber", TOPIC);
        subscriber.startReady();
        CountedWire wire = CountedWire.open(testbed, network.address());
        // more than passes before the last cut
        long length = (lots.length * 96L + 32) * TestFile.MIB;
        Path source = TestFile.random(testbed.file("resumed.bin"), lots.length, length);
        Node publisher = network.behind(wire).publisher("publisher", source, TOPIC, "--wait", "1");
        FragileMachine machine = FragileMachine.of(testbed, publisher);

        // when
        for (int cut = 1; cut <= lots.length; cut++) {
            wire.holdBehind(96 * TestFile.MIB);
            publisher.start();
            PartFiles.awaitBytes(subscriber, cut * 32 * TestFile.MIB);
            publisher.kill();
            machine.cut(lots[cut - 1]);
        }
        wire.goOn();
        publisher.start();

        // then
        publisher.child().expectExit(0);
        Delivery.assertSame(subscriber, source, "resumed.bin");
        assertThat(Trees.visible(subscriber.into())).containsExactly("resumed.bin");
        assertThat(PartFiles.of(subscriber)).as("parts left behind").isEmpty();
    }
}
