package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.ExistingPolicy;
import io.longhaul.storage.Disk;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.Receipt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Placing that is done again for want of space or after a kill, or not begun where it could not be made durable. */
class RepeatedPlacingTest {
    private static final byte[] OURS = Shipment.random(1, 5_000);

    @TempDir
    Path directory;

    private Rig rig;

    @BeforeEach
    void prepare() {
        rig = new Rig(directory);
    }

    /** Runs the two in one group. */
    private void runTogether(Shipment first, Shipment second) {
        List<Runnable> finishing = new ArrayList<>();
        rig.finisher = finishing::add;
        rig.publish(first);
        rig.publish(second);
        rig.open().run();
        rig.finisher = Runnable::run;
        List.copyOf(finishing).forEach(Runnable::run);
        rig.run();
    }

    /** Placing the second fails once for want of space; meanwhile this happens. */
    private void fullForTheSecond(Runnable meanwhile) {
        rig.journal.fullFor(
                step -> (step.startsWith("createLink") || step.startsWith("rename")) && step.contains("second"));
        rig.whileAsleep = () -> {
            rig.journal.fullFor(step -> false);
            meanwhile.run();
        };
    }

    @ParameterizedTest
    @EnumSource(
            value = ExistingPolicy.class,
            names = {"KEEP", "RENAME"})
    void shouldNotAppearAgainWhenItsUserTookItBeforeTheGroupWasPlaced(ExistingPolicy existing) {
        // given
        rig.existing = existing;
        fullForTheSecond(() -> take(rig.into.resolve("first")));

        // when
        runTogether(Shipment.file(1, "first", OURS), Shipment.file(2, "second", OURS));

        // then
        assertThat(rig.sleeps).isEqualTo(1);
        assertThat(rig.content()).containsOnlyKeys("second");
        assertThat(rig.receipts())
                .extracting(Receipt::outcome)
                .containsExactly(Receipt.Outcome.DELIVERED, Receipt.Outcome.DELIVERED);
        assertThat(rig.leftovers()).isEmpty();
    }

    private static void take(Path delivered) {
        try {
            Files.delete(delivered);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldPlaceOnlyUnderRecordedNamesWhenThereIsNoSpaceToRecordAnother() {
        // given
        rig.existing = ExistingPolicy.RENAME;
        List<String> unrecorded = new ArrayList<>();
        rig.disk = StrangeDisk.before((from, to) -> {
            List<String> recorded =
                    rig.ledger.incoming(Shipment.TOPIC, Rig.SUBSCRIPTION, Set.of(TransferState.PLACING)).stream()
                            .map(TransferRow::path)
                            .toList();
            if (!recorded.contains(to.toString())) {
                unrecorded.add(to.toString());
            }
            if (to.endsWith("f")) {
                Files.writeString(to, "theirs");
                rig.journal.fullFor(step -> step.startsWith("commit") && step.contains("PLACING"));
            }
        });
        rig.whileAsleep = () -> rig.journal.fullFor(step -> false);

        // when
        rig.publish(Shipment.file(1, "f", OURS));
        rig.open().run(3_000_000_000L);

        // then
        assertThat(rig.sleeps).isEqualTo(1);
        assertThat(unrecorded).isEmpty();
        assertThat(rig.into.resolve("f")).hasContent("theirs");
        assertThat(rig.into.resolve("f~1")).hasBinaryContent(OURS);
        assertThat(rig.receipts()).extracting(Receipt::path).containsExactly("f~1");
    }

    /** As over a network that loses the answer. */
    @ParameterizedTest
    @EnumSource(
            value = ExistingPolicy.class,
            names = {"REPLACE", "KEEP"})
    void shouldDeliverOnceWhenItsNameIsMadeAndSaidNotToBe(ExistingPolicy existing) {
        // given
        rig.existing = existing;
        rig.disk = StrangeDisk.before((from, to) -> {
            if (to.endsWith("f")) {
                if (existing == ExistingPolicy.REPLACE) {
                    Files.move(from, to);
                } else {
                    Files.createLink(to, from);
                }
                throw StorageException.of("make", to, new IOException("Input/output error"));
            }
        });

        // when
        rig.publish(Shipment.file(1, "f", OURS));
        rig.open().run();

        // then
        assertThat(rig.content()).containsOnlyKeys("f");
        assertThat(rig.receipts()).extracting(Receipt::outcome).containsExactly(Receipt.Outcome.DELIVERED);
        assertThat(rig.leftovers()).isEmpty();
    }

    private static Shipment treeThatForbidsToReadIt() {
        Shipment tree = Shipment.tree(1, "t", List.of(Shipment.Node.file("a", OURS)));
        Manifest plain = tree.manifest();
        Manifest closed = new Manifest(
                plain.transfer(),
                plain.topic(),
                plain.name(),
                plain.tree(),
                plain.pieceSize(),
                plain.length(),
                0311,
                plain.modifiedNanos(),
                plain.publisher(),
                plain.publishedMillis());
        return new Shipment(closed, tree.pieces(), tree.seal());
    }

    @Test
    void shouldDeliverATreeThatForbidsToReadItWhenItsPlacingIsRepeated() throws IOException {
        // given
        fullForTheSecond(() -> {});

        // when
        runTogether(treeThatForbidsToReadIt(), Shipment.file(2, "second", OURS));

        // then
        assertThat(rig.sleeps).isEqualTo(1);
        assertThat(rig.receipts())
                .extracting(Receipt::outcome)
                .containsExactly(Receipt.Outcome.DELIVERED, Receipt.Outcome.DELIVERED);
        Path top = rig.into.resolve("t");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(top)))
                .isEqualTo("-wx--x--x");
        assertThat(FileIdentity.of(top).orElseThrow().modifiedNanos()).isEqualTo(Shipment.MODIFIED);
        Files.setPosixFilePermissions(top, PosixFilePermissions.fromString("rwx------"));
        assertThat(top.resolve("a")).hasBinaryContent(OURS);
    }

    @Test
    void shouldGoOnWhenItsUserTakesTheDirectoryAwayBeforeTheNameIsDurable() {
        // given
        rig.disk = StrangeDisk.before((from, to) -> {
            if (to.endsWith("second")) {
                Disk.real().deleteTree(rig.into.resolve("d"));
            }
        });
        rig.journal = new Journal(true);

        // when
        runTogether(Shipment.file(1, "d/first", OURS), Shipment.file(2, "second", OURS));

        // then
        assertThat(rig.content()).containsOnlyKeys("second");
        assertThat(rig.receipts())
                .extracting(Receipt::outcome)
                .containsExactly(Receipt.Outcome.DELIVERED, Receipt.Outcome.DELIVERED);
        assertThat(rig.leftovers()).isEmpty();
    }

    @Test
    void shouldNotTellOfDeliveryWhenStagingIsTakenAwayBeforePlacingIsRepeated() {
        // given
        Shipment second = Shipment.file(2, "second", OURS);
        fullForTheSecond(() -> Disk.real().deleteTree(rig.into.resolve(".longhaul")));

        // when
        assertThatThrownBy(() -> runTogether(Shipment.file(1, "first", OURS), second))
                .hasRootCauseInstanceOf(NoSuchFileException.class);
        assertThat(rig.receipts()).isEmpty();
        rig.kill();
        rig.open();
        StubHolder.run(rig, 3_000_000_000L, new StubHolder(rig, "archive", 0, second));

        // then
        assertThat(rig.into.resolve("second")).hasBinaryContent(OURS);
        assertThat(rig.receipts())
                .extracting(Receipt::outcome)
                .containsExactly(Receipt.Outcome.DELIVERED, Receipt.Outcome.DELIVERED);
    }

    private static Shipment newer(boolean isTree) {
        return isTree ? Shipment.tree(2, "f", List.of(Shipment.Node.file("a", OURS))) : Shipment.file(2, "f", OURS);
    }

    /** An older one of the name is in place, and the newer one is to get there. */
    private Rig inPlace(String name, boolean isTree) {
        Rig made = new Rig(directory.resolve(name));
        made.publish(Shipment.file(1, "f", Shipment.random(2, 3_000)));
        made.open().run();
        made.kill();
        made.publish(newer(isTree));
        return made;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotTellOfDeliveryWhenStagingIsTakenAwayAfterAKill(boolean isTree) {
        // given
        Rig undisturbed = inPlace("undisturbed", isTree);
        undisturbed.open().run();
        List<String> steps = undisturbed.journal.steps();
        int recorded = IntStream.range(0, steps.size())
                .filter(step -> steps.get(step).contains("PLACING"))
                .findFirst()
                .orElseThrow();
        rig = inPlace("killed", isTree);
        rig.journal.crashAt(recorded, true);
        assertThat(rig.runIntoCrash()).isTrue();

        // when
        rig.kill();
        Disk.real().deleteTree(rig.into.resolve(".longhaul"));
        StubHolder.run(rig.open(), 3_000_000_000L, new StubHolder(rig, "archive", 0, newer(isTree)));

        // then
        assertThat(rig.content()).isEqualTo(undisturbed.content());
        assertThat(rig.receipts())
                .extracting(Receipt::outcome)
                .containsExactly(Receipt.Outcome.DELIVERED, Receipt.Outcome.DELIVERED);
        assertThat(rig.notices).singleElement().asString().contains("are damaged");
    }

    /** At the last moment: what is in its place has gone aside already, where that is a tree. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepWhatIsInPlaceWhenItsSuccessorIsTakenAwayAsItGetsThere(boolean isTree) {
        // given
        rig.publish(Shipment.tree(1, "f", List.of(Shipment.Node.file("old", OURS))));
        rig.open().run();
        Map<String, String> before = rig.content();
        rig.kill();
        rig.disk = StrangeDisk.before((from, to) -> {
            if (to.endsWith("f") && !from.endsWith("old")) {
                Disk.real().deleteTree(from);
            }
        });
        rig.publish(newer(isTree));

        // when
        assertThatThrownBy(() -> rig.open().run()).hasRootCauseInstanceOf(NoSuchFileException.class);

        // then
        assertThat(rig.content()).isEqualTo(before);

        // when
        rig.kill();
        rig.disk = Disk.real();
        StubHolder.run(rig.open(), 3_000_000_000L, new StubHolder(rig, "archive", 0, newer(isTree)));

        // then
        assertThat(rig.content()).isNotEqualTo(before).containsKey(isTree ? "f/a" : "f");
        assertThat(rig.receipts())
                .extracting(Receipt::outcome)
                .containsExactly(Receipt.Outcome.DELIVERED, Receipt.Outcome.DELIVERED);
    }

    /** A name in a directory that may not be read cannot be made durable. */
    @Test
    void shouldFailOnlyTheTransferWhoseDirectoryMayNotBeRead() throws IOException {
        // given
        Path closed = Files.createDirectories(rig.into.resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("-wx------"));
        Assumptions.assumeFalse(Files.isReadable(closed), "runs as root, for whom PlainUserIT does it");
        rig.journal = new Journal(true);

        // when
        runTogether(Shipment.file(1, "closed/first", OURS), Shipment.file(2, "second", OURS));

        // then
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        assertThat(rig.content()).containsOnlyKeys("closed", "second");
        assertThat(rig.receipts())
                .extracting(Receipt::outcome)
                .containsExactlyInAnyOrder(Receipt.Outcome.FAILED, Receipt.Outcome.DELIVERED);
        assertThat(rig.receipts()).anyMatch(receipt -> receipt.reason().contains("closed: expected a directory"));
        assertThat(rig.leftovers()).isEmpty();
    }
}
