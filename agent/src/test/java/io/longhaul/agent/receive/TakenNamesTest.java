package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.ExistingPolicy;
import io.longhaul.storage.Disk;
import io.longhaul.storage.PathRefusedException;
import io.longhaul.storage.StorageException;
import io.longhaul.wire.Receipt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names that somebody else takes, or that the system does not give, at the moment in which a transfer is placed. */
class TakenNamesTest {
    private static final byte[] OURS = Shipment.random(1, 5_000);

    @TempDir
    Path directory;

    private Rig rig;

    @BeforeEach
    void prepare() {
        rig = new Rig(directory);
    }

    private static Shipment tree(long number) {
        return Shipment.tree(number, "t", List.of(Shipment.Node.file("a", OURS)));
    }

    /** Another process takes the name just before it is given to the transfer, the first time. */
    private Disk takenAtLast(String name) {
        AtomicBoolean taken = new AtomicBoolean();
        return StrangeDisk.before((from, to) -> {
            Path theirs = rig.into.resolve(name);
            if (theirs.startsWith(to) && taken.compareAndSet(false, true)) {
                Files.createDirectories(theirs.getParent());
                Files.writeString(theirs, "theirs");
            }
        });
    }

    @Test
    void shouldTakeTheNextFreeNameWhenAnotherTookTheChosenOne() {
        // given
        rig.existing = ExistingPolicy.RENAME;
        rig.disk = takenAtLast("f");

        // when
        rig.publish(Shipment.file(1, "f", OURS));
        rig.open().run();

        // then
        assertThat(rig.into.resolve("f")).hasContent("theirs");
        assertThat(rig.into.resolve("f~1")).hasBinaryContent(OURS);
        assertThat(rig.receipts()).extracting(Receipt::path).containsExactly("f~1");
        assertThat(rig.leftovers()).isEmpty();
    }

    @Test
    void shouldKeepWhatAppearedAtLastWhenPolicyIsKeep() {
        // given
        rig.existing = ExistingPolicy.KEEP;
        rig.disk = takenAtLast("f");

        // when
        rig.publish(Shipment.file(1, "f", OURS));
        rig.open().run();

        // then
        assertThat(rig.content()).containsOnlyKeys("f");
        assertThat(rig.into.resolve("f")).hasContent("theirs");
        assertThat(rig.receipts()).extracting(Receipt::outcome).containsExactly(Receipt.Outcome.KEPT);
    }

    @Test
    void shouldTakeTheNextFreeNameWhenATreeAppearedAtLast() {
        // given
        rig.existing = ExistingPolicy.RENAME;
        rig.disk = takenAtLast("t/theirs");

        // when
        rig.publish(tree(1));
        rig.open().run();

        // then
        assertThat(rig.content()).containsOnlyKeys("t", "t/theirs", "t~1", "t~1/a");
        assertThat(rig.receipts()).extracting(Receipt::path).containsExactly("t~1");
    }

    @Test
    void shouldReplaceTheTreeThatAppearedAtLastWhenPolicyIsReplace() {
        // given
        rig.disk = takenAtLast("t/theirs");

        // when
        rig.publish(tree(1));
        rig.open().run();

        // then
        assertThat(rig.content()).containsOnlyKeys("t", "t/a");
        assertThat(rig.receipts()).extracting(Receipt::outcome).containsExactly(Receipt.Outcome.DELIVERED);
        assertThat(rig.leftovers()).isEmpty();
    }

    @Test
    void shouldDeliverWithoutHardLinksWhenTheFileSystemHasNone() {
        // given
        rig.existing = ExistingPolicy.KEEP;
        rig.disk = StrangeDisk.before((from, to) -> {
            if (from.endsWith("part")
                    && Files.exists(from)
                    && rig.journal.steps().stream().noneMatch(step -> step.startsWith("rename"))) {
                throw new StorageException(StorageException.Code.IO, "link: Operation not supported");
            }
        });

        // when
        rig.publish(Shipment.file(1, "f", OURS));
        rig.open().run();

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(OURS);
        assertThat(rig.receipts()).extracting(Receipt::outcome).containsExactly(Receipt.Outcome.DELIVERED);
    }

    /** What is placed and not recorded when the process dies is taken by its user, and must not come back. */
    @Test
    void shouldNotAppearTwiceWhenKilledBeforeItsEndIsRecorded() throws IOException {
        // given
        Rig undisturbed = new Rig(directory.resolve("undisturbed"));
        undisturbed.existing = ExistingPolicy.KEEP;
        undisturbed.publish(Shipment.file(1, "f", OURS));
        undisturbed.open().run();
        List<String> steps = undisturbed.journal.steps();
        int recorded = IntStream.range(0, steps.size())
                .filter(i -> steps.get(i).startsWith("commit") && steps.get(i).contains("DELIVERED"))
                .findFirst()
                .orElseThrow();
        rig.existing = ExistingPolicy.KEEP;
        rig.publish(Shipment.file(1, "f", OURS));
        rig.journal.crashAt(recorded, false);
        assertThat(rig.runIntoCrash()).isTrue();
        rig.kill();

        // when
        Files.delete(rig.into.resolve("f"));
        rig.open().run();

        // then
        assertThat(rig.content()).isEmpty();
        assertThat(rig.receipts()).extracting(Receipt::outcome).containsExactly(Receipt.Outcome.DELIVERED);
    }

    @Test
    void shouldFailOnlyTheTransferWhoseNameTheSystemDoesNotGive() {
        // given
        rig.disk = StrangeDisk.before((from, to) -> {
            if (to.endsWith("d/f")) {
                throw new PathRefusedException("rename to " + to + ": Permission denied");
            }
        });

        // when
        rig.publish(Shipment.file(1, "d/f", OURS));
        rig.publish(Shipment.file(2, "g", OURS));
        rig.open().run();

        // then
        assertThat(rig.receipts())
                .extracting(Receipt::outcome)
                .containsExactlyInAnyOrder(Receipt.Outcome.FAILED, Receipt.Outcome.DELIVERED);
        assertThat(rig.receipts()).anyMatch(receipt -> receipt.reason().contains("Permission denied"));
        assertThat(rig.into.resolve("g")).hasBinaryContent(OURS);
        assertThat(rig.leftovers()).isEmpty();
    }

    @Test
    void shouldPutBackWhatWasThereWhenATreeCannotTakeItsPlace() {
        // given
        rig.publish(tree(1));
        rig.open().run();
        rig.kill();
        rig.disk = StrangeDisk.before((from, to) -> {
            if (from.endsWith("tree") && to.equals(rig.into.resolve("t"))) {
                throw new PathRefusedException("rename to " + to + ": Operation not permitted");
            }
        });

        // when
        rig.publish(Shipment.tree(2, "t", List.of(Shipment.Node.file("b", OURS))));
        rig.open().run();

        // then
        assertThat(rig.content()).containsOnlyKeys("t", "t/a");
        assertThat(rig.receipts())
                .extracting(Receipt::outcome)
                .containsExactlyInAnyOrder(Receipt.Outcome.DELIVERED, Receipt.Outcome.FAILED);
    }

    /** A directory that is moved gets another parent, for which its own mode must allow to write in it. */
    @Test
    void shouldReplaceATreeThatForbidsToWriteInIt() throws Exception {
        // given
        Files.createDirectories(rig.into.resolve("t/old"));
        Files.setPosixFilePermissions(rig.into.resolve("t"), PosixFilePermissions.fromString("r-xr-xr-x"));
        rig.disk = StrangeDisk.before((from, to) -> {
            if (PosixFilePermissions.toString(Files.getPosixFilePermissions(from))
                    .startsWith("r-x")) {
                throw new PathRefusedException("rename " + from + ": Permission denied");
            }
        });

        // when
        rig.publish(tree(1));
        rig.open().run();

        // then
        assertThat(rig.content()).containsOnlyKeys("t", "t/a");
        assertThat(rig.receipts()).extracting(Receipt::outcome).containsExactly(Receipt.Outcome.DELIVERED);
    }

    @Test
    void shouldStopWhenTheDiskItselfFails() {
        // given
        rig.disk = StrangeDisk.before((from, to) -> {
            throw new StorageException(StorageException.Code.IO, "rename to " + to + ": Input/output error");
        });

        // when
        rig.publish(Shipment.file(1, "f", OURS));
        rig.open();

        // then
        assertThatThrownBy(() -> rig.run()).hasMessageContaining("Input/output error");
        assertThat(rig.receipts()).isEmpty();
        assertThat(rig.leftovers()).isNotEmpty();
    }
}
