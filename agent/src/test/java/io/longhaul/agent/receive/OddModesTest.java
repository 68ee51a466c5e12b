package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.longhaul.agent.ExistingPolicy;
import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.TransferRow;
import io.longhaul.wire.Entry;
import io.longhaul.wire.EntryType;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.Receipt;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files and trees whose modes forbid their owner this or that; for root, who may do it all, PlainUserIT does it. */
class OddModesTest {
    private static final int LARGE = 3;

    @TempDir
    Path directory;

    private static Shipment withMode(Shipment plain, int mode) {
        Manifest manifest = plain.manifest();
        Manifest odd = new Manifest(
                manifest.transfer(),
                manifest.topic(),
                manifest.name(),
                manifest.tree(),
                manifest.pieceSize(),
                manifest.length(),
                mode,
                manifest.modifiedNanos(),
                manifest.publisher(),
                manifest.publishedMillis());
        return new Shipment(odd, plain.pieces(), plain.seal());
    }

    private static Shipment file(long number, int mode) {
        return withMode(Shipment.file(number, "t", Shipment.random(number, 9_000)), mode);
    }

    private static Shipment.Node node(String path, EntryType type, int mode, byte[] content) {
        return new Shipment.Node(new Entry(0, path, type, mode, Shipment.MODIFIED, content.length, ""), content);
    }

    /** Everything in it has the mode. */
    private static Shipment tree(long number, int mode) {
        byte[] none = new byte[0];
        Shipment plain = Shipment.tree(
                number,
                "t",
                List.of(
                        node("a", EntryType.DIRECTORY, mode, none),
                        node("a/e", EntryType.DIRECTORY, mode, none),
                        node("a/e/small", EntryType.FILE, mode, Shipment.random(number, 700)),
                        node("a/large", EntryType.FILE, mode, Shipment.random(number, Shipment.PIECE + 17)),
                        Shipment.Node.of(Shipment.link("link", "a"))));
        return withMode(plain, mode);
    }

    /** Gives its owner back what modes forbid, and returns what the modes were. */
    private static Map<Path, String> uncovered(Path path) throws IOException {
        Map<Path, String> modes = new TreeMap<>();
        if (Files.isSymbolicLink(path)) {
            return modes;
        }
        int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 07777;
        modes.put(path, Integer.toOctalString(mode));
        assertThat(FileIdentity.of(path).orElseThrow().modifiedNanos()).isEqualTo(Shipment.MODIFIED);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
                for (Path child : children) {
                    modes.putAll(uncovered(child));
                }
            }
        }
        return modes;
    }

    private static void assertIsTree(Path top, long number, int mode) throws IOException {
        assertThat(uncovered(top).values()).hasSize(5).containsOnly(Integer.toOctalString(mode & 0777));
        assertThat(top.resolve("a/e/small")).hasBinaryContent(Shipment.random(number, 700));
        assertThat(top.resolve("a/large")).hasBinaryContent(Shipment.random(number, Shipment.PIECE + 17));
        assertThat(Files.readSymbolicLink(top.resolve("link"))).isEqualTo(Path.of("a"));
    }

    private static void assertIsFile(Path path, long number, int mode) throws IOException {
        assertThat(uncovered(path).values()).containsExactly(Integer.toOctalString(mode & 0777));
        assertThat(path).hasBinaryContent(Shipment.random(number, 9_000));
    }

    /** Publishes a first one, and a second one of the same name once that is there. */
    private Rig both(ExistingPolicy existing, Shipment first, Shipment second) {
        Rig rig = new Rig(directory.resolve(existing + "-" + first.manifest().tree()));
        rig.existing = existing;
        rig.publish(first);
        rig.open().run();
        rig.publish(second);
        rig.run();
        assertThat(rig.leftovers()).isEmpty();
        assertThat(rig.receipts())
                .extracting(Receipt::outcome)
                .containsExactly(
                        Receipt.Outcome.DELIVERED,
                        existing == ExistingPolicy.KEEP ? Receipt.Outcome.KEPT : Receipt.Outcome.DELIVERED);
        return rig;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 0200, 0311, 0444, 0555, 07777})
    void shouldDeliverTreesWhateverTheirModesForbid(int mode) throws IOException {
        // when
        Rig replacing = both(ExistingPolicy.REPLACE, tree(1, mode), tree(2, mode));
        Rig keeping = both(ExistingPolicy.KEEP, tree(1, mode), tree(2, mode));
        Rig renaming = both(ExistingPolicy.RENAME, tree(1, mode), tree(2, mode));

        // then
        assertIsTree(replacing.into.resolve("t"), 2, mode);
        assertIsTree(keeping.into.resolve("t"), 1, mode);
        assertIsTree(renaming.into.resolve("t"), 1, mode);
        assertIsTree(renaming.into.resolve("t~1"), 2, mode);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 0200, 0444, 07777})
    void shouldDeliverFilesWhateverTheirModesForbid(int mode) throws IOException {
        // when
        Rig replacing = both(ExistingPolicy.REPLACE, file(1, mode), file(2, mode));
        Rig keeping = both(ExistingPolicy.KEEP, file(1, mode), file(2, mode));
        Rig renaming = both(ExistingPolicy.RENAME, file(1, mode), file(2, mode));

        // then
        assertIsFile(replacing.into.resolve("t"), 2, mode);
        assertIsFile(keeping.into.resolve("t"), 1, mode);
        assertIsFile(renaming.into.resolve("t"), 1, mode);
        assertIsFile(renaming.into.resolve("t~1"), 2, mode);
    }

    @Test
    void shouldReplaceAFileByATreeAndATreeByAFile() throws IOException {
        // given
        Rig rig = both(ExistingPolicy.REPLACE, file(1, 0), tree(2, 0));

        // when
        rig.publish(file(3, 0));
        rig.run();

        // then
        assertIsFile(rig.into.resolve("t"), 3, 0);
        assertThat(rig.leftovers()).isEmpty();
    }

    @Test
    void shouldReplaceATreeWhenKilledAtAnyStep() throws IOException {
        // given
        int steps = beforeTheSecond("undisturbed").open().run().journal.steps().size();

        // a kill after a step leaves what one before the next step leaves
        for (int step = 0; step < steps; step++) {
            // when
            Rig rig = beforeTheSecond("step" + step);
            rig.journal.crashAt(step, false);
            assertThat(rig.runIntoCrash()).isTrue();
            rig.kill();
            rig.open().run();

            // then
            String where = "killed before step " + step;
            assertThat(rig.receipts())
                    .as(where)
                    .extracting(Receipt::outcome)
                    .containsExactly(Receipt.Outcome.DELIVERED, Receipt.Outcome.DELIVERED);
            assertThat(rig.leftovers()).as(where).isEmpty();
            assertIsTree(rig.into.resolve("t"), 2, 0);
        }
    }

    private Rig beforeTheSecond(String name) {
        Rig rig = new Rig(directory.resolve(name));
        rig.publish(tree(1, 0));
        rig.open().run();
        rig.kill();
        rig.publish(tree(2, 0));
        return rig;
    }

    @Test
    void shouldFindDamageInAFileThatHasItsFinalModeAlready() throws IOException {
        // given
        Shipment tree = tree(1, 0);
        Rig rig = new Rig(directory).open();
        rig.publish(tree.frames().subList(0, tree.frames().size() - 1));
        rig.run();
        rig.kill();
        Path file = rig.into.resolve(".longhaul/" + Shipment.id(1) + "@" + Rig.SUBSCRIPTION + "/file-" + LARGE);
        byte[] bytes = Files.readAllBytes(file);
        bytes[5] ^= 1;
        Files.write(file, bytes);

        // when
        rig.open();
        rig.publish(List.of(tree.seal()));
        rig.run();

        // then
        assertThat(rig.receipts()).isEmpty();
        assertThat(rig.notices).anyMatch(line -> line.contains("are damaged"));

        // when
        rig.publish(tree.pieces());
        rig.run();

        // then
        assertIsTree(rig.into.resolve("t"), 1, 0);
    }

    /** A promise to repair what cannot be read would be worth nothing. */
    @Test
    void shouldKeepForRepairsOnlyWhatMayBeRead() throws IOException {
        // given
        Path probe = Files.createFile(directory.resolve("probe"));
        Files.setPosixFilePermissions(probe, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(probe), "runs as root, for whom PlainUserIT does it");
        for (Shipment each : List.of(file(1, 0200), tree(2, 0311), tree(3, 0444))) {
            Rig rig = new Rig(directory.resolve(each.manifest().transfer().toString()));
            rig.publish(each);
            rig.open().run();
            TransferRow row = rig.ledger.transfers(Direction.INCOMING).get(0);
            Holdings holdings = new Holdings(rig.ledger, Disk.real());

            // when, then
            assertThat(holdings.hold(row)).isFalse();
            assertThat(rig.into.resolve(".longhaul/held")).isEmptyDirectory();
            if (!each.manifest().tree()) {
                assertThat(holdings.holdThrough(row)).isZero();
            }
        }
    }
}
