package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.Progress;
import io.longhaul.storage.Direction;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Envelope;
import io.longhaul.wire.Frame;
import io.longhaul.wire.FrameCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Order, repetition, damage and want of space on the way in. */
class ArrivalTest {
    private static final byte[] CONTENT = Shipment.random(1, 100_000);

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldDeliverOnceWhenFramesAreShuffledAndRepeated(long seed) {
        // given
        Rig rig = new Rig(directory).open();
        Shipment file = Shipment.file(1, "f", CONTENT);
        Shipment tree = Shipment.tree(2, "t", FileShapesTest.allKinds());
        List<Frame> frames = new ArrayList<>(file.frames());
        frames.addAll(tree.frames());
        frames.addAll(file.frames());
        Collections.shuffle(frames, new Random(seed));

        // when
        rig.publish(frames);
        rig.run(500_000_000L);

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
        assertThat(rig.into.resolve("t/a/large")).hasBinaryContent(Shipment.random(1, 3 * Shipment.PIECE + 17));
        assertThat(rig.receipts()).hasSize(2);
        assertThat(rig.ended).hasSize(2);
        assertThat(rig.backlog()).isZero();
    }

    @Test
    void shouldCountPiecesThatComeAgain() {
        // given
        Rig rig = new Rig(directory).open();
        Shipment file = Shipment.file(1, "f", CONTENT);

        // when
        rig.publish(file.frames().subList(0, 5));
        rig.publish(file);
        rig.run();

        // then
        assertThat(rig.ended).singleElement().satisfies(end -> {
            assertThat(end.duplicatePieces()).isEqualTo(4);
            assertThat(end.duplicateBytes()).isEqualTo(4L * Shipment.PIECE);
        });
    }

    @Test
    void shouldGoOnWithWhatIsDurableWhenRestarted() {
        // given
        Rig rig = new Rig(directory).open();
        List<Frame> frames = Shipment.file(1, "f", CONTENT).frames();
        rig.publish(frames.subList(0, 11));
        rig.run();
        rig.kill();

        // when
        rig.open();
        rig.publish(frames.subList(11, frames.size()));
        rig.run();

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
        assertThat(rig.ended)
                .singleElement()
                .satisfies(end -> assertThat(end.duplicatePieces()).isZero());
    }

    @Test
    void shouldNotAcknowledgeEarlyPiecesUntilManifestComes() {
        // given
        Rig rig = new Rig(directory).open();
        List<Frame> frames = Shipment.file(1, "f", CONTENT).frames();

        // when
        rig.publish(frames.subList(1, frames.size()));
        rig.run();

        // then
        assertThat(rig.backlog()).isEqualTo(frames.size() - 1);

        // when
        rig.publish(frames.subList(0, 1));
        rig.run();

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
        assertThat(rig.backlog()).isZero();
    }

    @Test
    void shouldGiveUpEarlyPiecesWhenManifestDoesNotCome() {
        // given
        Rig rig = new Rig(directory).open();
        List<Frame> frames = Shipment.file(1, "f", CONTENT).frames();

        // when
        rig.publish(frames.subList(1, frames.size()));
        rig.publish(Shipment.file(2, "g", CONTENT));
        rig.run(3_000_000_000L);

        // then
        assertThat(rig.backlog()).isZero();
        assertThat(rig.notices).anyMatch(line -> line.contains("unknown transfer"));
        assertThat(rig.into.resolve("g")).hasBinaryContent(CONTENT);
    }

    @Test
    void shouldNameDamageAndAskForPieceWhenItsBytesAreFlipped() {
        // given
        Rig rig = new Rig(directory).open();
        Shipment file = Shipment.file(1, "f", CONTENT);
        Envelope sound = FrameCodec.encode(file.pieces().get(3));
        byte[] bytes = new byte[sound.body().remaining()];
        sound.body().duplicate().get(bytes);
        bytes[17] ^= 4;
        List<Frame> frames = new ArrayList<>(file.frames());
        frames.remove(4);

        // when
        rig.publish(frames.subList(0, 4));
        rig.network.inject(Addresses.topic(Shipment.TOPIC), new Envelope(sound.properties(), ByteBuffer.wrap(bytes)));
        rig.publish(frames.subList(4, frames.size()));
        rig.run();

        // then
        assertThat(rig.notices)
                .anyMatch(line -> line.contains("piece 3 of transfer " + Shipment.id(1)) && line.contains("damaged"));
        assertThat(rig.receipts()).isEmpty();
        assertThat(rig.backlog()).isZero();

        // when
        rig.publish(List.of(file.pieces().get(3)));
        rig.run();

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
    }

    @Test
    void shouldNameMessageWhenItCannotBeDecoded() {
        // given
        Rig rig = new Rig(directory).open();
        Map<String, Object> properties = new HashMap<>(
                FrameCodec.encode(Shipment.file(1, "f", CONTENT).pieces().get(0))
                        .properties());
        properties.put(FrameCodec.PIECE, new byte[] {1, 2, 3});

        // when
        rig.network.inject(Addresses.topic(Shipment.TOPIC), new Envelope(properties, ByteBuffer.wrap(new byte[] {1})));
        rig.run();

        // then
        assertThat(rig.notices)
                .anyMatch(line -> line.contains("damaged message") && line.contains("" + Shipment.id(1)));
        assertThat(rig.backlog()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "write part",
                "force part",
                "PutPieces",
                "setAttributes part",
                "rename part",
                "commit [PLACING",
                "commit [DELIVERED",
                "createDirectory",
                "RECEIVING"
            })
    void shouldPauseOnceAndGoOnWhenSpaceRunsOutAtThisStep(String step) {
        // given
        Rig rig = new Rig(directory);
        rig.publish(Shipment.file(1, "f", CONTENT));
        rig.open();
        rig.journal.fullFor(each -> each.contains(step));
        long[] backlogWhileFull = {-1};
        rig.whileAsleep = () -> {
            backlogWhileFull[0] = rig.backlog();
            if (rig.sleeps == 3) {
                rig.journal.fullFor(each -> false);
            }
        };

        // when
        rig.run(5_000_000_000L);

        // then
        assertThat(rig.sleeps).isEqualTo(3);
        assertThat(rig.notices).filteredOn(line -> line.contains("paused")).hasSize(1);
        assertThat(rig.notices).anyMatch(line -> line.contains("no space for") && line.contains("needed"));
        assertThat(rig.notices).anyMatch(line -> line.contains("goes on"));
        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
        assertThat(rig.receipts()).hasSize(1);
        assertThat(rig.backlog()).isZero();
        boolean beforeAcknowledgement = step.contains("write") || step.contains("force") || step.contains("PutPieces");
        if (beforeAcknowledgement) {
            assertThat(backlogWhileFull[0]).isPositive();
            assertThat(rig.ended)
                    .singleElement()
                    .satisfies(end -> assertThat(end.seconds())
                            .isGreaterThanOrEqualTo(3 * Patience.BETWEEN_TRIES.toMillis() / 1e3));
        }
    }

    /** Whoever ends the process then is to be told that work remains. */
    @Test
    void shouldTellOfWhatWaitsForSpaceThoughNothingOfItIsDurable() {
        // given
        Rig rig = new Rig(directory);
        rig.publish(Shipment.file(1, "f", CONTENT));
        rig.open();
        rig.journal.fullFor(each -> each.contains("commit"));
        List<Progress> waiting = new ArrayList<>();
        rig.whileAsleep = () -> {
            waiting.addAll(rig.pipeline().transfers().progress());
            rig.journal.fullFor(each -> false);
        };

        // when
        rig.run(3_000_000_000L);

        // then
        assertThat(waiting).extracting(Progress::name).containsExactly("f");
        assertThat(rig.pipeline().transfers().progress()).isEmpty();
        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
    }

    /** The ledger has the end and could not make it durable: what comes again counts as known. */
    @Test
    void shouldFinishWhenTheDiskWasFullForTheSyncOfTheEnd() {
        // given
        Rig rig = new Rig(directory);
        rig.publish(Shipment.file(1, "f", CONTENT));
        rig.open();
        rig.journal.fullFor(each -> each.startsWith("durable") && each.contains("COMPLETE"));
        rig.whileAsleep = () -> rig.journal.fullFor(each -> false);

        // when
        rig.run(3_000_000_000L);

        // then
        assertThat(rig.sleeps).isEqualTo(1);
        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
        assertThat(rig.receipts()).hasSize(1);
        assertThat(rig.backlog()).isZero();
    }

    @Test
    void shouldNeverDeliverDamageWhenPartFileIsFlippedWhileReceiverIsDown() throws IOException {
        // given
        Rig rig = new Rig(directory).open();
        Shipment file = Shipment.file(1, "f", CONTENT);
        rig.publish(file.frames().subList(0, 20));
        rig.run();
        rig.kill();
        Path part = rig.into.resolve(".longhaul/" + Shipment.id(1) + "@" + Rig.SUBSCRIPTION + "/part");
        byte[] bytes = Files.readAllBytes(part);
        bytes[5 * Shipment.PIECE + 3] ^= 1;
        Files.write(part, bytes);

        // when
        rig.open();
        rig.publish(file.frames().subList(20, file.frames().size()));
        rig.run();

        // then
        assertThat(rig.content()).isEmpty();
        assertThat(rig.notices).anyMatch(line -> line.contains("part of transfer") || line.contains("first: piece 5"));
        assertThat(rig.ledger.transfers(Direction.INCOMING).get(0).state()).isEqualTo(TransferState.RECEIVING);

        // when
        rig.publish(List.of(file.pieces().get(5)));
        rig.run();

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
        assertThat(rig.progress).allMatch(progress -> progress.safeBytes() <= CONTENT.length);
    }

    @ParameterizedTest
    @ValueSource(strings = {"packs", "file-2"})
    void shouldNeverDeliverDamageWhenStagedTreeIsFlippedWhileReceiverIsDown(String name) throws IOException {
        // given
        Rig rig = new Rig(directory).open();
        Shipment tree = Shipment.tree(1, "t", FileShapesTest.allKinds());
        rig.publish(tree.frames().subList(0, tree.frames().size() - 1));
        rig.run();
        rig.kill();
        Path file = rig.into.resolve(".longhaul/" + Shipment.id(1) + "@" + Rig.SUBSCRIPTION + "/" + name);
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 3] ^= 1;
        Files.write(file, bytes);

        // when
        rig.open();
        rig.publish(List.of(tree.seal()));
        rig.run();

        // then
        assertThat(rig.content()).isEmpty();
        assertThat(rig.notices).anyMatch(line -> line.contains("are damaged"));

        // when
        rig.publish(tree.pieces());
        rig.run();

        // then
        assertThat(rig.into.resolve("t/a/large")).hasBinaryContent(Shipment.random(1, 3 * Shipment.PIECE + 17));
        assertThat(rig.receipts()).hasSize(1);
    }

    @Test
    void shouldRefuseWhenFloorWouldBePassed() {
        // given
        SpaceGuard guard = new SpaceGuard(io.longhaul.storage.Disk.real(), directory, Long.MAX_VALUE / 2);

        // then
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> guard.take(1))
                .isInstanceOf(io.longhaul.storage.StorageException.class)
                .hasMessageContaining(directory.toString())
                .hasMessageContaining("needed 1 bytes")
                .hasMessageContaining("free");
    }
}
