package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.ExistingPolicy;
import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.LeaseRow;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.PathRefusedException;
import io.longhaul.storage.TransferRow;
import io.longhaul.wire.Frame;
import io.longhaul.wire.Piece;
import io.longhaul.wire.Receipt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every piece of what was received can be given out again, as long as it is what was received. */
class HoldingsTest {
    @TempDir
    Path directory;

    enum Kind {
        FILE(Shipment.file(1, "x", Shipment.random(1, 50_000))),
        SPARSE(Shipment.file(1, "x", new byte[50_000])),
        TREE(Shipment.tree(1, "x", FileShapesTest.allKinds()));

        final Shipment shipment;

        Kind(Shipment shipment) {
            this.shipment = shipment;
        }
    }

    private Rig received(Shipment shipment, int frames) {
        Rig rig = new Rig(directory).open();
        rig.publish(shipment.frames().subList(0, frames));
        rig.run();
        return rig;
    }

    private static TransferRow row(Rig rig) {
        return rig.ledger.transfers(Direction.INCOMING).get(0);
    }

    private static void assertServes(Rig rig, Shipment shipment, int pieces) {
        DeliveredPieces delivered = new DeliveredPieces(rig.ledger, Disk.real());
        for (int i = 0; i < pieces; i++) {
            Piece piece = delivered.read(row(rig), i);
            assertThat(piece.header()).isEqualTo(shipment.pieces().get(i).header());
            assertThat(piece.body()).isEqualTo(shipment.pieces().get(i).body());
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldMakeEveryPieceAgainWhenDelivered(Kind kind) {
        Rig rig = received(kind.shipment, kind.shipment.frames().size());
        assertServes(rig, kind.shipment, kind.shipment.pieces().size());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldMakeDurablePiecesAgainWhenStillIncoming(Kind kind) {
        // given
        int frames = kind.shipment.frames().size() - 2;
        Rig rig = received(kind.shipment, frames);

        // then
        assertServes(rig, kind.shipment, frames - 1);
        assertThat(new Holdings(rig.ledger, Disk.real()).holdThrough(row(rig))).isEqualTo(frames - 1);
        assertThatThrownBy(() -> new DeliveredPieces(rig.ledger, Disk.real()).read(row(rig), frames - 1))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("has not been received");
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldPromiseNothingWhenTheSystemRefusesToKeepIt(Kind kind) {
        // given
        Rig rig = received(kind.shipment, kind.shipment.frames().size());
        Disk disk = StrangeDisk.before((from, to) -> {
            throw new PathRefusedException("link " + from + ": Permission denied");
        });

        // when, then
        assertThat(new Holdings(rig.ledger, disk).hold(row(rig))).isFalse();
    }

    /** As by who processes what appears, at once. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldPromiseNothingWhenItIsTakenAwayMeanwhile(Kind kind) {
        // given
        Rig rig = received(kind.shipment, kind.shipment.frames().size());
        Disk disk = StrangeDisk.before((from, to) -> Disk.real().deleteTree(rig.into.resolve("x")));

        // when, then
        assertThat(new Holdings(rig.ledger, disk).hold(row(rig))).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldStillMakeEveryPieceWhenHeldAndRemovedByUser(Kind kind) {
        // given
        Rig rig = received(kind.shipment, kind.shipment.frames().size());
        Holdings holdings = new Holdings(rig.ledger, Disk.real());
        assertThat(holdings.holdThrough(row(rig))).isEqualTo(Long.MAX_VALUE);

        // when
        assertThat(holdings.hold(row(rig))).isTrue();
        Disk.real().deleteTree(rig.into.resolve("x"));

        // then
        assertServes(rig, kind.shipment, kind.shipment.pieces().size());
        assertThat(holdings.hold(row(rig))).isTrue();

        // when
        holdings.release(row(rig));

        // then
        assertThat(holdings.holdThrough(row(rig))).isZero();
        assertThat(rig.into.resolve(".longhaul/held")).isEmptyDirectory();
    }

    /** One thread has just delivered it, another is asked for a promise of it. */
    @Test
    void shouldBeHeldOnceWhenTwoAskAtATime() throws InterruptedException {
        // given
        Rig rig = new Rig(directory);
        rig.ledger
                .commit(List.of(new LedgerChange.PutLease(
                        new LeaseRow(Shipment.id(1).toString(), Shipment.TOPIC, "other", 4, 1))))
                .join();
        AtomicBoolean held = new AtomicBoolean();
        Thread other = new Thread(() -> held.set(rig.holdings().hold(row(rig))));
        rig.disk = StrangeDisk.before((from, to) -> {
            if (to.toString().contains("held") && other.getState() == Thread.State.NEW) {
                other.start();
                while (other.getState() != Thread.State.BLOCKED && other.isAlive()) {
                    Thread.onSpinWait();
                }
            }
        });

        // when
        rig.open().publish(Kind.FILE.shipment);
        rig.run();
        other.join();

        // then
        assertThat(held).isTrue();
        Disk.real().deleteTree(rig.into.resolve("x"));
        assertServes(rig, Kind.FILE.shipment, Kind.FILE.shipment.pieces().size());
    }

    @Test
    void shouldHoldNothingWhenFileIsGone() throws IOException {
        // given
        Rig rig = received(Kind.FILE.shipment, Kind.FILE.shipment.frames().size());
        Holdings holdings = new Holdings(rig.ledger, Disk.real());

        // when
        Files.delete(rig.into.resolve("x"));

        // then
        assertThat(holdings.holdThrough(row(rig))).isZero();
        assertThat(holdings.hold(row(rig))).isFalse();
    }

    @Test
    void shouldRefuseWhenFileWasTouched() throws IOException {
        // given
        Rig rig = received(Kind.FILE.shipment, Kind.FILE.shipment.frames().size());

        // when
        Files.setLastModifiedTime(rig.into.resolve("x"), FileTime.fromMillis(5_000));

        // then
        assertThatThrownBy(() -> new DeliveredPieces(rig.ledger, Disk.real()).read(row(rig), 0))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("not what it was");
    }

    @Test
    void shouldRefuseWhenBytesWereFlippedUnseen() throws IOException {
        // given
        Rig rig = received(Kind.FILE.shipment, Kind.FILE.shipment.frames().size());
        Path file = rig.into.resolve("x");
        FileTime modified = Files.getLastModifiedTime(file);

        // when
        byte[] bytes = Files.readAllBytes(file);
        bytes[10] ^= 1;
        Files.write(file, bytes);
        Files.setLastModifiedTime(file, modified);

        // then
        assertThatThrownBy(() -> new DeliveredPieces(rig.ledger, Disk.real()).read(row(rig), 0))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("have changed");
    }

    @Test
    void shouldHoldByItselfWhenLeasedBeforeDelivery() throws IOException {
        // given
        Shipment file = Kind.FILE.shipment;
        Rig rig = received(file, 5);
        rig.ledger
                .commit(List.of(new LedgerChange.PutLease(
                        new LeaseRow(Shipment.id(1).toString(), Shipment.TOPIC, "other", 4, 1))))
                .join();

        // when
        rig.publish(file.frames().subList(5, file.frames().size()));
        rig.run();
        Files.delete(rig.into.resolve("x"));

        // then
        assertServes(rig, file, file.pieces().size());
    }

    private static void lease(Rig rig, int transfer) {
        rig.ledger
                .commit(List.of(new LedgerChange.PutLease(
                        new LeaseRow(Shipment.id(transfer).toString(), Shipment.TOPIC, "other", 4, 1))))
                .join();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldKeepWhatWasPromisedWhenItIsNotPutInPlace(Kind kind) throws IOException {
        // given
        Rig rig = new Rig(directory);
        rig.existing = ExistingPolicy.KEEP;
        rig.open();
        Files.writeString(rig.into.resolve("x"), "its user's own");
        List<Frame> frames = kind.shipment.frames();
        rig.publish(frames.subList(0, 3));
        rig.run();
        lease(rig, 1);

        // when
        rig.publish(frames.subList(3, frames.size()));
        rig.run();

        // then
        assertThat(IncomingDetail.parse(row(rig).detail()).outcome()).isEqualTo(Receipt.Outcome.KEPT);
        assertThat(rig.into.resolve("x")).hasContent("its user's own");
        assertThat(new Holdings(rig.ledger, Disk.real()).holdThrough(row(rig))).isEqualTo(Long.MAX_VALUE);
        assertServes(rig, kind.shipment, kind.shipment.pieces().size());

        // when
        new Holdings(rig.ledger, Disk.real()).release(row(rig));

        // then
        assertThat(new Holdings(rig.ledger, Disk.real()).holdThrough(row(rig))).isZero();
    }

    @Test
    void shouldKeepWhatWasPromisedWhenALaterOneOfItsNameIsInPlace() {
        // given
        Shipment earlier = Kind.FILE.shipment;
        Shipment later = Shipment.file(2, "x", Shipment.random(2, 100));
        List<Frame> frames = earlier.frames();
        Rig rig = new Rig(directory).open();
        rig.publish(frames.subList(0, 3));
        rig.run();
        lease(rig, 1);

        // when
        rig.publish(later);
        rig.run();
        rig.publish(frames.subList(3, frames.size()));
        rig.run();

        // then
        assertThat(rig.content()).containsOnlyKeys("x");
        TransferRow row = rig.ledger
                .transfer(Direction.INCOMING, Shipment.id(1).toString(), Rig.SUBSCRIPTION)
                .orElseThrow();
        assertThat(IncomingDetail.parse(row.detail()).outcome()).isEqualTo(Receipt.Outcome.SUPERSEDED);
        DeliveredPieces pieces = new DeliveredPieces(rig.ledger, Disk.real());
        assertThat(pieces.read(row, 5).body()).isEqualTo(earlier.pieces().get(5).body());
    }

    @Test
    void shouldHoldNoLongerAfterACrashWhatIsPromisedToNobody() throws IOException {
        // given
        Rig rig = received(Kind.FILE.shipment, Kind.FILE.shipment.frames().size());
        assertThat(new Holdings(rig.ledger, Disk.real()).hold(row(rig))).isTrue();
        Path held = rig.into.resolve(".longhaul/held");
        Path others = Files.createDirectory(held.resolve(Shipment.id(9) + "@" + Rig.SUBSCRIPTION));
        assertThat(held).isDirectoryContaining(path -> !path.equals(others));

        // when
        rig.ledger
                .commit(List.of(new LedgerChange.PutSetting(Ledger.DAMAGE_SETTING, "promises may be lost")))
                .join();
        rig.kill();
        rig.open();

        // then
        assertThat(held).isDirectoryContaining(path -> !path.equals(others));

        // when
        rig.ledger
                .commit(List.of(new LedgerChange.DeleteSetting(Ledger.DAMAGE_SETTING)))
                .join();
        rig.kill();
        rig.open();

        // then
        try (Stream<Path> left = Files.list(held)) {
            assertThat(left).as("of another agent's ledger").containsExactly(others);
        }
    }
}
