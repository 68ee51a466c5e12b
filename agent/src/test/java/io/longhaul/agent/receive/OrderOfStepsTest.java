package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.wire.Piece;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What must be on disk before what: taking out or swapping any of these steps turns one of these tests red. */
class OrderOfStepsTest {
    @TempDir
    Path directory;

    private List<String> stepsOf(Shipment shipment) {
        Rig rig = new Rig(directory);
        rig.publish(shipment);
        rig.open().run();
        assertThat(rig.receipts()).hasSize(1);
        return rig.journal.steps();
    }

    private static Shipment file() {
        return Shipment.file(1, "sub/file", Shipment.random(1, 40_000));
    }

    private static Shipment tree() {
        return Shipment.tree(1, "tree", FileShapesTest.allKinds());
    }

    private static int first(List<String> steps, Predicate<String> step) {
        return IntStream.range(0, steps.size())
                .filter(i -> step.test(steps.get(i)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no such step in " + String.join("\n", steps)));
    }

    private static int last(List<String> steps, Predicate<String> step) {
        return IntStream.range(0, steps.size())
                .filter(i -> step.test(steps.get(i)))
                .reduce((a, b) -> b)
                .orElseThrow(() -> new AssertionError("no such step in " + String.join("\n", steps)));
    }

    private static Predicate<String> starts(String text) {
        return step -> step.startsWith(text);
    }

    private static Predicate<String> ends(String text) {
        return step -> step.endsWith(text);
    }

    private static Predicate<String> commits(String change) {
        return step -> step.startsWith("commit") && step.contains(change);
    }

    private static String staging() {
        return "syncDirectory " + Shipment.id(1) + "@" + Rig.SUBSCRIPTION;
    }

    @Test
    void shouldForcePartBetweenLastWriteAndLedger() {
        // when
        List<String> steps = stepsOf(file());

        // then
        int recorded = first(steps, commits("PutPieces"));
        int written = last(steps.subList(0, recorded), starts("write part"));
        assertThat(steps.subList(written, recorded)).contains("force part");
        assertThat(steps.subList(recorded, steps.size())).noneMatch(starts("write part"));
    }

    @Test
    void shouldWriteDirectlyWhatPassesTheDigestInOrder() {
        // when
        List<String> steps = stepsOf(file());

        // then
        assertThat(steps).filteredOn(starts("write part")).isNotEmpty().containsOnly("write part, direct");
    }

    @Test
    void shouldKeepInTheCacheWhatIsReadBackWhenAGapCloses() {
        // given
        Shipment file = file();
        List<Piece> backwards = new ArrayList<>(file.pieces());
        Collections.reverse(backwards);

        // when
        List<String> steps = stepsOf(new Shipment(file.manifest(), backwards, file.seal()));

        // then
        assertThat(steps).filteredOn(starts("write part")).hasSizeGreaterThan(1).endsWith("write part, direct");
        assertThat(steps).filteredOn("write part, direct"::equals).hasSize(1);
    }

    @Test
    void shouldSyncStagingNamesBeforeLedger() {
        // when
        List<String> steps = stepsOf(file());

        // then
        int recorded = first(steps, commits("PutPieces"));
        assertThat(steps.subList(0, recorded)).contains(staging(), "syncDirectory .longhaul");
        assertThat(first(steps, starts(staging()))).isGreaterThan(first(steps, starts("open part")));
    }

    @Test
    void shouldRecordPiecesBeforeAcknowledging() {
        // when
        List<String> steps = stepsOf(file());

        // then
        assertThat(first(steps, starts("acknowledge"))).isGreaterThan(last(steps, commits("PutPieces")));
    }

    @Test
    void shouldWaitUntilLedgerIsDurableBeforeAnyStepThatReliesOnIt() {
        // when
        List<String> steps = stepsOf(file());

        // then
        Predicate<String> durable = starts("durable");
        assertThat(first(steps, durable.and(step -> step.contains("PutPieces"))))
                .isLessThan(first(steps, starts("acknowledge")));
        assertThat(first(steps, durable.and(step -> step.contains("PLACING"))))
                .isLessThan(first(steps, starts("rename part")));
        assertThat(first(steps, durable.and(step -> step.contains("DELIVERED"))))
                .isLessThan(first(steps, starts("offer receipt")))
                .isLessThan(first(steps, starts("deleteTree")));
    }

    @Test
    void shouldForceAfterModeAndTimeAndBeforePlacing() {
        // when
        List<String> steps = stepsOf(file());

        // then
        int set = last(steps, starts("setAttributes part"));
        int placing = first(steps, commits("PLACING"));
        assertThat(steps.subList(set, placing)).contains("force part");
    }

    @Test
    void shouldRecordPlaceBeforeRename() {
        // when
        List<String> steps = stepsOf(file());

        // then
        assertThat(first(steps, starts("rename part"))).isGreaterThan(first(steps, commits("PLACING")));
    }

    @Test
    void shouldMakeParentsDurableBeforeRename() {
        // when
        List<String> steps = stepsOf(file());

        // then
        assertThat(first(steps, starts("createDirectories sub"))).isLessThan(first(steps, starts("rename part")));
    }

    @Test
    void shouldSyncDirectoryBetweenRenameAndDelivered() {
        // when
        List<String> steps = stepsOf(file());

        // then
        int renamed = first(steps, starts("rename part"));
        int delivered = first(steps, commits("DELIVERED"));
        assertThat(steps.subList(renamed, delivered)).contains("syncDirectory sub");
    }

    @Test
    void shouldSyncOldPlaceAfterNewPlaceAndBeforeDelivered() {
        // when
        List<String> steps = stepsOf(file());

        // then
        int renamed = first(steps, starts("rename part"));
        int delivered = first(steps, commits("DELIVERED"));
        assertThat(steps.subList(renamed, delivered)).containsSubsequence("syncDirectory sub", staging());
    }

    @Test
    void shouldRecordDeliveredAndReceiptTogetherBeforeOfferingReceipt() {
        // when
        List<String> steps = stepsOf(file());

        // then
        assertThat(steps).contains("commit [DELIVERED, AppendReceipt]");
        assertThat(first(steps, starts("offer receipt"))).isGreaterThan(first(steps, commits("DELIVERED")));
        assertThat(first(steps, commits("RECEIPTED"))).isGreaterThan(first(steps, starts("offer receipt")));
    }

    @Test
    void shouldRepeatReceiptOnlyWhenAllThatCameBeforeItsSealIsDurable() {
        // given
        Rig rig = new Rig(directory);
        Shipment ended = file();
        rig.publish(ended);
        rig.open().run();
        int before = rig.journal.steps().size();

        // when
        rig.publish(List.of(Shipment.manifest(2, "other", false, 40_000), ended.seal()));
        rig.run();

        // then
        List<String> steps =
                rig.journal.steps().subList(before, rig.journal.steps().size());
        assertThat(first(steps, starts("offer receipt"))).isGreaterThan(first(steps, starts("durable [RECEIVING")));
    }

    @Test
    void shouldRemoveStagingOnlyAfterDelivered() {
        // when
        List<String> steps = stepsOf(file());

        // then
        assertThat(first(steps, starts("deleteTree"))).isGreaterThan(first(steps, commits("DELIVERED")));
    }

    @Test
    void shouldForceEveryFileOfTreeBeforePlacing() {
        // when
        List<String> steps = stepsOf(tree());

        // then
        int placing = first(steps, commits("PLACING"));
        List<Shipment.Node> nodes = FileShapesTest.allKinds();
        for (int number = 0; number < nodes.size(); number++) {
            Shipment.Node node = nodes.get(number);
            Path name = Path.of(node.entry().path()).getFileName();
            switch (node.entry().type()) {
                case FILE -> {
                    boolean large = node.content().length >= Shipment.PIECE / 4;
                    Predicate<String> file = ends(" " + (large ? "file-" + number : name));
                    int set = last(steps, starts("setAttributes").and(file));
                    assertThat(steps.subList(set, placing))
                            .as("%s", name)
                            .anyMatch(starts("force").and(file));
                }
                case DIRECTORY -> {
                    int set = last(steps.subList(0, placing), starts("setAttributes " + name));
                    assertThat(steps.subList(set, placing)).contains("syncDirectory " + name);
                }
                case SYMLINK ->
                    assertThat(first(steps, starts("createSymbolicLink " + name)))
                            .isLessThan(placing);
            }
        }
    }

    @Test
    void shouldSyncFileSystemOnceAfterAllOfATreeOfManyFilesAndBeforePlacing() {
        // when
        List<String> steps = stepsOf(Shipment.tree(1, "tree", FileShapesTest.manyFiles()));

        // then
        int synced = first(steps, starts("syncFileSystem"));
        assertThat(steps).filteredOn(starts("syncFileSystem")).hasSize(1);
        assertThat(steps).noneMatch(starts("force f"));
        assertThat(last(steps.subList(0, first(steps, commits("PLACING"))), starts("setAttributes tree")))
                .isLessThan(synced);
        assertThat(last(steps, starts("setAttributes f"))).isLessThan(synced);
        assertThat(synced).isLessThan(first(steps, commits("PLACING")));
    }

    @Test
    void shouldSyncTopOfTreeAndItsNameBeforePlacing() {
        // when
        List<String> steps = stepsOf(tree());

        // then
        int placing = first(steps, commits("PLACING"));
        int set = last(steps.subList(0, placing), starts("setAttributes tree"));
        assertThat(steps.subList(set, placing)).containsSubsequence("syncDirectory tree", staging());
    }

    @Test
    void shouldForcePacksAndLargeFilesBeforeLedger() {
        // when
        List<String> steps = stepsOf(tree());

        // then
        int recorded = first(steps, commits("PutPieces"));
        assertThat(steps.subList(0, recorded)).contains("force packs").anyMatch(starts("force file-"));
    }
}
