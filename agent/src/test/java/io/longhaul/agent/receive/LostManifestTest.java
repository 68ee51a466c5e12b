package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.link.MemoryLink;
import io.longhaul.storage.Direction;
import io.longhaul.storage.TransferRow;
import io.longhaul.wire.Envelope;
import io.longhaul.wire.Frame;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.FrameType;
import io.longhaul.wire.Piece;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.RetainedQuery;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A manifest or a seal that is damaged or lost on the way comes again from whoever knows it. */
class LostManifestTest {
    private static final byte[] CONTENT = Shipment.random(1, 100_000);
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path directory;

    private Rig rig;
    private Shipment file;
    private StubHolder publisher;

    @BeforeEach
    void open() {
        rig = new Rig(directory).open();
        file = Shipment.file(1, "f", CONTENT);
        publisher = new StubHolder(rig, "publisher", 1, file);
    }

    /** Flips a byte in the body of every frame of a type, as a disk may. */
    private static UnaryOperator<Envelope> damaging(FrameType type) {
        return envelope -> {
            if (!type.wireName().equals(envelope.properties().get(FrameCodec.TYPE))) {
                return envelope;
            }
            ByteBuffer body = ByteBuffer.allocate(envelope.body().remaining());
            body.put(envelope.body().duplicate()).flip();
            body.put(20, (byte) (body.get(20) ^ 1));
            return new Envelope(envelope.properties(), body);
        };
    }

    /** Damages a frame so that it does not say either which transfer it was of. */
    private static UnaryOperator<Envelope> unreadable(FrameType type) {
        return envelope -> {
            Envelope damaged = damaging(type).apply(envelope);
            Map<String, Object> properties = new HashMap<>(damaged.properties());
            if (type.wireName().equals(properties.get(FrameCodec.TYPE))) {
                properties.put(FrameCodec.TRANSFER, "000");
            }
            return new Envelope(properties, damaged.body());
        };
    }

    private void publish(UnaryOperator<Envelope> tamper, List<? extends Frame> frames) {
        rig.network.tamper(tamper);
        rig.publish(frames);
        rig.network.tamper(UnaryOperator.identity());
    }

    private TransferRow row() {
        List<TransferRow> rows = rig.ledger.transfers(Direction.INCOMING);
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }

    private void assertDelivered() {
        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
        assertThat(rig.receipts()).extracting(Receipt::outcome).containsExactly(Receipt.Outcome.DELIVERED);
        assertThat(rig.backlog()).isZero();
    }

    @Test
    void shouldDeliverWhenTheManifestIsDamaged() {
        // when
        publish(damaging(FrameType.MANIFEST), file.frames());
        StubHolder.run(rig, 3 * SECOND, publisher);

        // then
        assertDelivered();
        assertThat(rig.notices)
                .anyMatch(line -> line.contains("damaged message")
                        && line.contains(file.manifest().transfer().toString()))
                .anyMatch(line -> line.contains("come again from publisher"));
    }

    /** The publisher does not know it, and of two transfers of a name it decides. */
    @Test
    void shouldKeepTheOrderOfADamagedManifestThatItsPublisherSendsAgain() {
        // given
        rig.publish(Shipment.file(2, "other", Shipment.random(2, 10)));
        rig.run();
        long before = row().order();

        // when
        publish(damaging(FrameType.MANIFEST), file.frames());
        StubHolder.run(rig, 3 * SECOND, publisher);

        // then
        assertThat(rig.ledger.transfer(Direction.INCOMING, Shipment.id(1).toString(), Rig.SUBSCRIPTION))
                .hasValueSatisfying(row -> assertThat(row.order()).isEqualTo(before + 1));
    }

    @Test
    void shouldNotReplaceALaterFileByOneWhoseOrderIsNotKnown() {
        // given
        byte[] later = Shipment.random(2, 50_000);
        rig.publish(Shipment.file(2, "f", later));
        rig.run();

        // when
        rig.publish(List.of(file.seal()));
        StubHolder.run(rig, 5 * SECOND, publisher);

        // then
        assertThat(publisher.asked).isPositive();
        assertThat(rig.into.resolve("f")).hasBinaryContent(later);
        assertThat(rig.receipts())
                .extracting(Receipt::outcome)
                .containsExactly(Receipt.Outcome.DELIVERED, Receipt.Outcome.SUPERSEDED);
    }

    @Test
    void shouldReplaceAnEarlierFileByOneWhoseOrderIsNotKnown() {
        rig.publish(Shipment.file(0, "f", Shipment.random(2, 50_000)));
        rig.run();
        rig.publish(List.of(file.seal()));
        StubHolder.run(rig, 5 * SECOND, publisher);

        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
    }

    @Test
    void shouldNotReplaceAFileWhoseOrderIsNotKnownByAnEarlierOne() {
        // given
        rig.publish(List.of(file.seal()));
        StubHolder.run(rig, 5 * SECOND, publisher);

        // when
        rig.publish(Shipment.file(0, "f", Shipment.random(2, 50_000)));
        rig.run();

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
    }

    @Test
    void shouldTakeTheOrderOfAManifestThatComesAfterItWasAskedFor() {
        // given
        publisher.refusing = true;
        rig.publish(List.of(file.seal()));
        StubHolder.run(rig, 3 * SECOND, publisher);
        assertThat(row().order()).isZero();
        assertThat(row().manifest()).isNotEmpty();

        // when
        rig.publish(List.of(file.manifest()));
        rig.run();

        // then
        assertThat(row().order()).isPositive();
    }

    @Test
    void shouldNotGatherQuestionsWhileTheNetworkIsAway() {
        // given
        rig.publish(List.of(file.seal()));
        rig.run();
        rig.link().weather(MemoryLink.Weather.DOWN);

        // when
        StubHolder.run(rig, 200 * SECOND);

        // then
        assertThat(rig.link().offered())
                .filteredOn(RetainedQuery.class::isInstance)
                .hasSizeLessThan(3);

        // when
        rig.link().weather(MemoryLink.Weather.FAIR);
        StubHolder.run(rig, 60 * SECOND, publisher);

        // then
        assertDelivered();
    }

    @Test
    void shouldAskForEachHoweverManyNobodyKnows() {
        List<Frame> seals = new ArrayList<>();
        for (int i = 0; i < 800; i++) {
            seals.add(Shipment.file(i + 100, "f" + i, new byte[] {1}).seal());
        }
        seals.add(file.seal());

        // when
        rig.publish(seals);
        StubHolder.run(rig, 60 * SECOND, publisher);

        // then
        assertDelivered();
    }

    @Test
    void shouldTakeTheOrderFromWhoKnowsItWhenTheMessageDoesNotTell() {
        // given
        StubHolder archive = new StubHolder(rig, "archive", 0, file);
        archive.order = 77;

        // when
        publish(unreadable(FrameType.MANIFEST), file.frames());
        StubHolder.run(rig, 5 * SECOND, publisher, archive);

        // then
        assertDelivered();
        assertThat(row().order()).isEqualTo(77);
    }

    @Test
    void shouldDeliverWhenADamagedManifestDoesNotTellItsTransferAndNoSealHasCome() {
        // when
        publish(unreadable(FrameType.MANIFEST), file.frames().subList(0, 10));
        StubHolder.run(rig, 5 * SECOND, publisher);

        // then
        assertDelivered();
        assertThat(rig.notices).anyMatch(line -> line.contains("damaged message") && line.contains("\"000\""));
    }

    @Test
    void shouldDeliverAnEmptyFileWhenItsManifestIsLost() {
        // given
        Shipment empty = Shipment.file(3, "empty", new byte[0]);
        StubHolder holder = new StubHolder(rig, "holder", 1, empty);

        // when
        rig.publish(List.of(empty.seal()));
        StubHolder.run(rig, 2 * SECOND, holder);

        // then
        assertThat(rig.into.resolve("empty")).isEmptyFile();
    }

    @Test
    void shouldDeliverWhenTheSealIsDamaged() {
        // when
        publish(damaging(FrameType.SEAL), file.frames());
        StubHolder.run(rig, 2 * SECOND, publisher);

        // then
        assertDelivered();
        assertThat(publisher.served).isZero();
    }

    @Test
    void shouldDeliverWhenAllButTheManifestIsLostWithoutASign() {
        // when
        rig.publish(List.of(file.manifest()));
        StubHolder.run(rig, ManifestAsker.STILL_NS - SECOND, publisher);

        // then
        assertThat(publisher.asked).isZero();

        // when
        StubHolder.run(rig, 4 * SECOND, publisher);

        // then
        assertDelivered();
    }

    @Test
    void shouldAskAfterARestartToo() {
        // given
        publish(damaging(FrameType.MANIFEST), file.frames().subList(0, 1));
        rig.run();
        assertThat(rig.backlog()).isZero();
        rig.kill();

        // when
        rig.open();
        StubHolder.run(rig, 3 * SECOND, publisher);

        // then
        assertDelivered();
    }

    @Test
    void shouldStillAskWhenTheDiskWasFullMeanwhile() {
        // given
        rig.journal.fullFor(each -> each.contains("commit"));
        rig.whileAsleep = () -> rig.journal.fullFor(each -> false);

        // when
        publish(damaging(FrameType.MANIFEST), file.frames());
        StubHolder.run(rig, 5 * SECOND, publisher);

        // then
        assertThat(rig.sleeps).isPositive();
        assertDelivered();
    }

    @Test
    void shouldWaitForTheSealOfWhatIsStillBeingPublished() {
        // given
        publisher.sealed = false;
        publish(damaging(FrameType.MANIFEST), file.frames().subList(0, 5));
        StubHolder.run(rig, 20 * SECOND, publisher);
        assertThat(publisher.asked).isBetween(4, 6);

        // when
        publisher.sealed = true;
        StubHolder.run(rig, 40 * SECOND, publisher);

        // then
        assertDelivered();
    }

    @Test
    void shouldGoOnAskingAndSaySoOnceWhenNobodyKnows() {
        // given
        publish(damaging(FrameType.MANIFEST), file.frames());

        // when
        StubHolder.run(rig, 120 * SECOND);

        // then
        assertThat(rig.notices)
                .filteredOn(line ->
                        line.contains("nobody") && line.contains(Shipment.id(1).toString()))
                .hasSize(1);
        assertThat(rig.backlog()).isZero();

        // when
        StubHolder.run(rig, 40 * SECOND, publisher);

        // then
        assertDelivered();
    }

    @Test
    void shouldNotTakeAnAnswerThatNobodyAskedFor() {
        // given
        publisher.wrongBy = 1;

        // when
        publish(damaging(FrameType.MANIFEST), file.frames());
        StubHolder.run(rig, 5 * SECOND, publisher);

        // then
        assertThat(publisher.asked).isPositive();
        assertThat(rig.content()).isEmpty();
    }

    @Test
    void shouldFailByNameWhenWhatComesAgainContradictsTheSealThatIsHere() {
        // given
        Shipment other = Shipment.file(1, "f", Shipment.random(9, 5_000));
        StubHolder liar = new StubHolder(rig, "liar", 1, other);

        // when
        publish(damaging(FrameType.MANIFEST), file.frames());
        StubHolder.run(rig, 3 * SECOND, liar);

        // then
        assertThat(rig.receipts()).extracting(Receipt::outcome).containsExactly(Receipt.Outcome.FAILED);
        assertThat(rig.content()).isEmpty();
    }

    /** Whoever may publish could fill the ledger with pieces of transfers that do not exist. */
    @Test
    void shouldRememberABoundedNumberOfTransfersWithoutManifest() {
        // given
        List<Piece> pieces = new ArrayList<>();
        for (int i = 0; i < 10_500; i++) {
            pieces.add(Shipment.file(i + 100, "f", new byte[] {1}).pieces().get(0));
        }

        // when
        rig.publish(pieces);
        rig.run(5 * SECOND);

        // then
        assertThat(rig.ledger.transfers(Direction.INCOMING)).hasSize(10_000);
        assertThat(rig.backlog()).isZero();
    }
}
