package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.link.Inflow;
import io.longhaul.agent.link.MemoryLink;
import io.longhaul.storage.Disk;
import io.longhaul.wire.Frame;
import io.longhaul.wire.Piece;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What does not come by itself is asked for, with a holder that a test makes behave as it likes. */
class RepairTest {
    private static final byte[] CONTENT = Shipment.random(1, 1_000_000);

    @TempDir
    Path directory;

    private static List<Frame> without(Shipment shipment, int from, int to) {
        List<Frame> frames = new ArrayList<>(shipment.frames());
        frames.subList(1 + from, 1 + to).clear();
        return frames;
    }

    @Test
    void shouldFetchDroppedPiecesFromHolderAndCountThem() {
        // given
        Rig rig = new Rig(directory).open();
        Shipment file = Shipment.file(1, "f", CONTENT);
        StubHolder archive = new StubHolder(rig, "archive", 0, file);
        StubHolder subscriber = new StubHolder(rig, "subscriber", 2, file);

        // when
        rig.publish(without(file, 10, 210));
        StubHolder.run(rig, 3_000_000_000L, archive, subscriber);

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
        assertThat(archive.served).isEqualTo(200);
        assertThat(subscriber.served).isZero();
        assertThat(rig.ended)
                .singleElement()
                .satisfies(end -> assertThat(end.repairedBytes()).isEqualTo(200L * Shipment.PIECE));
        assertThat(rig.notices).anyMatch(line -> line.contains("asking archive for 200 missing pieces"));
    }

    @Test
    void shouldNotAskWhilePiecesWaitInTheFlowOrKeepComing() {
        // given
        Rig rig = new Rig(directory).open();
        Shipment file = Shipment.file(1, "f", CONTENT);
        StubHolder archive = new StubHolder(rig, "archive", 0, file);
        rig.publish(without(file, 10, 210));

        // when
        StubHolder.run(rig, Repairs.NO_PROGRESS_NS - 100_000_000L, archive);

        // then
        assertThat(archive.served).isZero();
        assertThat(rig.notices).isEmpty();
    }

    @Test
    void shouldAskNextHolderWhenFirstRefuses() {
        // given
        Rig rig = new Rig(directory).open();
        Shipment file = Shipment.file(1, "f", CONTENT);
        StubHolder archive = new StubHolder(rig, "archive", 0, file);
        StubHolder subscriber = new StubHolder(rig, "subscriber", 2, file);
        archive.refusing = true;

        // when
        rig.publish(without(file, 0, 5));
        StubHolder.run(rig, 3_000_000_000L, archive, subscriber);

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
        assertThat(subscriber.served).isEqualTo(5);
        assertThat(rig.notices).anyMatch(line -> line.contains("refused by archive") && line.contains("changed"));
    }

    @Test
    void shouldNotTakeDamageFromHolder() {
        // given
        Rig rig = new Rig(directory).open();
        Shipment file = Shipment.file(1, "f", CONTENT);
        StubHolder archive = new StubHolder(rig, "archive", 0, file);
        StubHolder subscriber = new StubHolder(rig, "subscriber", 2, file);
        archive.serving = piece ->
                new Piece(piece.header(), ByteBuffer.allocate(piece.body().remaining()));

        // when
        rig.publish(without(file, 0, 5));
        StubHolder.run(rig, 3_000_000_000L, archive, subscriber);

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
        assertThat(rig.notices).anyMatch(line -> line.contains("damaged"));
    }

    @Test
    void shouldAskAtOnceWhenPieceArrivesDamagedThoughSealIsUnknown() {
        // given
        Rig rig = new Rig(directory).open();
        Shipment file = Shipment.file(1, "f", CONTENT);
        StubHolder archive = new StubHolder(rig, "archive", 0, file);
        List<Frame> frames = new ArrayList<>(file.frames().subList(0, 20));
        Piece sound = file.pieces().get(7);
        frames.set(8, new Piece(sound.header(), ByteBuffer.allocate(sound.body().remaining())));

        // when
        rig.publish(frames);
        StubHolder.run(rig, 800_000_000L, archive);

        // then
        assertThat(archive.served).isEqualTo(1);

        // when
        rig.publish(file.frames().subList(20, file.frames().size()));
        StubHolder.run(rig, 500_000_000L, archive);

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
    }

    @Test
    void shouldNotGatherQuestionsWhileTheNetworkIsAway() {
        // given
        Rig rig = new Rig(directory).open();
        Shipment file = Shipment.file(1, "f", CONTENT);
        List<Frame> frames = new ArrayList<>(file.frames());
        Piece sound = file.pieces().get(7);
        frames.set(8, new Piece(sound.header(), ByteBuffer.allocate(sound.body().remaining())));
        rig.publish(frames);
        rig.run();
        rig.link().weather(MemoryLink.Weather.DOWN);

        // when
        StubHolder.run(rig, 200_000_000_000L);

        // then
        assertThat(rig.link().inFlight()).isLessThanOrEqualTo(1);

        // when
        rig.link().weather(MemoryLink.Weather.FAIR);
        StubHolder.run(rig, 6_000_000_000L, new StubHolder(rig, "archive", 0, file));

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
    }

    @Test
    void shouldGoOnAskingAndSaySoOnceWhenNobodyHoldsIt() {
        // given
        Rig rig = new Rig(directory).open();
        Shipment file = Shipment.file(1, "f", CONTENT);
        rig.publish(without(file, 0, 5));

        // when
        StubHolder.run(rig, 20_000_000_000L);

        // then
        assertThat(rig.notices).filteredOn(line -> line.contains("nobody")).hasSize(1);

        // when
        StubHolder late = new StubHolder(rig, "late", 1, file);
        StubHolder.run(rig, 40_000_000_000L, late);

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
    }

    @Test
    void shouldFindAHolderThatReturnsWithinFiveSeconds() {
        // given
        Rig rig = new Rig(directory).open();
        Shipment file = Shipment.file(1, "f", CONTENT);
        rig.publish(without(file, 0, 5));
        StubHolder.run(rig, 70_000_000_000L);

        // when
        StubHolder returned = new StubHolder(rig, "archive", 0, file);
        StubHolder.run(rig, 5_000_000_000L, returned);

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
    }

    /** A hundred topics with so many transfers each must not fill the network with questions. */
    @Test
    void shouldAskTwentyTimesASecondAtMostWhenManyTransfersLackPieces() {
        // given
        Rig rig = new Rig(directory).open();
        for (int i = 1; i <= 200; i++) {
            rig.publish(without(Shipment.file(i, "f" + i, Shipment.random(i, 100)), 0, 1));
        }
        StubHolder.run(rig, 60_000_000_000L);
        Inflow questions = rig.network.connect("holder", 1 << 20).holders(Shipment.TOPIC, "holder");

        // when
        StubHolder.run(rig, 30_000_000_000L);

        // then
        assertThat(questions.backlog()).isBetween(400L, 660L);
    }

    @Test
    void shouldRepairAfterRestartWhenPiecesAreStillMissing() {
        // given
        Rig rig = new Rig(directory).open();
        Shipment tree = Shipment.tree(1, "t", FileShapesTest.allKinds());
        rig.publish(without(tree, 1, 4));
        rig.run();
        rig.kill();

        // when
        rig.open();
        StubHolder archive = new StubHolder(rig, "archive", 0, tree);
        StubHolder.run(rig, 3_000_000_000L, archive);

        // then
        assertThat(rig.into.resolve("t/a/large")).hasBinaryContent(Shipment.random(1, 3 * Shipment.PIECE + 17));
        assertThat(archive.served).isEqualTo(3);
    }

    /** As by who clears away what has not changed for days, while the broker was away for so long. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRepairWhatIsTakenAwayWhileMoreIsAwaited(boolean isTree) {
        // given
        Rig rig = new Rig(directory).open();
        Shipment shipment = isTree
                ? Shipment.tree(1, "f", List.of(Shipment.Node.file("large", CONTENT)))
                : Shipment.file(1, "f", CONTENT);
        rig.publish(shipment.frames().subList(0, 100));
        rig.run();

        // when
        rig.leftovers().forEach(each -> Disk.real().deleteTree(rig.into.resolve(each)));
        rig.publish(shipment.frames().subList(100, shipment.frames().size()));
        StubHolder archive = new StubHolder(rig, "archive", 0, shipment);
        StubHolder.run(rig, 3_000_000_000L, archive);

        // then
        assertThat(rig.into.resolve(isTree ? "f/large" : "f")).hasBinaryContent(CONTENT);
        assertThat(archive.served).isEqualTo(99);
    }

    @Test
    void shouldStillRepairWhenTheDiskWasFullMeanwhile() {
        // given
        Rig rig = new Rig(directory).open();
        Shipment lacking = Shipment.file(1, "lacking", CONTENT);
        rig.publish(without(lacking, 10, 20));
        StubHolder.run(rig, 1_000_000_000L);
        rig.journal.fullFor(each -> each.contains("PutPieces"));
        rig.whileAsleep = () -> rig.journal.fullFor(each -> false);

        // when
        rig.publish(Shipment.file(2, "other", CONTENT));
        StubHolder archive = new StubHolder(rig, "archive", 0, lacking);
        StubHolder.run(rig, 40_000_000_000L, archive);

        // then
        assertThat(rig.sleeps).isPositive();
        assertThat(rig.into.resolve("other")).hasBinaryContent(CONTENT);
        assertThat(rig.into.resolve("lacking")).hasBinaryContent(CONTENT);
        assertThat(archive.served).isEqualTo(10);
    }
}
