package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.Failures;
import io.longhaul.wire.Digests;
import io.longhaul.wire.Entry;
import io.longhaul.wire.EntryType;
import io.longhaul.wire.Frame;
import io.longhaul.wire.Limits;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.Piece;
import io.longhaul.wire.PieceHeader;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.Seal;
import io.longhaul.wire.TreeDigest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a hostile or broken publisher may send; each is refused with a reason and leaves nothing on disk. */
class HostileTest {
    private static final byte[] CONTENT = Shipment.random(1, 10_000);
    /** Where the disk ends a file, as each file system does somewhere. */
    private static final long LONGEST = 1L << 30;

    @TempDir
    Path directory;

    enum Lie {
        RESERVED_NAME("reserved", named(".longhaul/x")),
        RESERVED_DIRECTORY_ITSELF("reserved", named(".longhaul")),
        PARENT_IS_LINK("found a symbolic link", named("link/x")),
        PARENT_IS_FILE("found a file", named("file/x")),
        PARENT_IS_LINK_FURTHER_UP("found a symbolic link", named("link/a/b/x")),
        PATH_TOO_LONG_WITH_DIRECTORY("expected at most", named("d/".repeat(2046) + "x")),
        OTHER_TOPIC("topic: expected", otherTopic()),
        ABSURD_LENGTH("times the capacity of the disk", absurd()),
        LENGTH_SHORTER_THAN_PIECES("expected an end within 5000 bytes", lengthOf(5_000)),
        LENGTH_LONGER_THAN_SEAL("expected length 20000 of the manifest", lengthOf(20_000)),
        SEAL_WITH_FEWER_PIECES("expected 3 pieces", sealed(2, 1, 10_000)),
        SEAL_WITH_MORE_PIECES("expected 3 pieces", sealed(4, 1, 10_000)),
        SEAL_WITH_ENTRIES("expected 1 entry", sealed(3, 2, 10_000)),
        SEAL_OF_STREAM_SHORTER("within 9000 bytes", streamSealed(9_000)),
        SEAL_OF_STREAM_LONGER("expected pieces that cover", streamSealed(11_000)),
        WRONG_DIGEST("though every piece is as it was sent", wrongDigest()),
        TWO_SEALS("a second seal differs", twoSeals()),
        TWO_MANIFESTS("a second manifest", twoManifests()),
        PIECE_BEYOND_LENGTH("expected an end within", moved(2, 9_000)),
        PIECE_AT_ABSURD_OFFSET("expected an end within", moved(2, 1L << 59)),
        PIECES_OVERLAP("overlaps", moved(1, 100)),
        PIECES_LEAVE_GAP("overlaps", moved(1, 0)),
        PIECE_LONGER_THAN_PIECE_SIZE("expected 1..4096 bytes", longPiece()),
        PACK_IN_FILE("expected a range of a single file", packInFile()),
        PIECE_INDEX_BEYOND("expected an index below 3", reindexed(3)),
        ABSURD_PIECE_INDEX_IN_STREAM("expected an index below", absurdIndex()),
        SAME_PATH_TWICE("a path of its own", tree(file("a"), file("a"))),
        SAME_PATH_AS_LARGE("a path of its own", tree(file("a"), large("a"))),
        SAME_PATH_AS_LINK("a path of its own", tree(file("a"), link("a", "b"))),
        SAME_DIRECTORY_TWICE("a path of its own", tree(dir("a"), dir("a"))),
        FILE_AND_DIRECTORY("a path of its own", tree(dir("a"), file("a"))),
        FILE_BELOW_FILE("a file as well", tree(file("a"), file("a/b"))),
        LARGE_BELOW_FILE("a file as well", tree(file("a"), large("a/b"))),
        FILE_BELOW_LINK("expected an entry of its own", tree(link("a", "b"), dir("b"), file("a/x"))),
        DIRECTORY_WITHOUT_ENTRY("expected an entry of its own", tree(file("a/b"))),
        LINK_BELOW_NOTHING("expected a directory above", tree(link("a/b", "c"))),
        TREE_DIGEST_WRONG("tree: expected", treeSealed(2, 200, "0".repeat(64))),
        TREE_WITH_FEWER_ENTRIES("tree: expected 3 entries", treeSealed(3, 200, null)),
        TREE_WITH_OTHER_LENGTH("tree: expected 2 entries, 201 bytes", treeSealed(2, 201, null)),
        ENTRY_NUMBER_TWICE("entries", numberTwice()),
        ENTRY_CHANGES_BETWEEN_PIECES("differs from what an earlier piece said", changingEntry()),
        RANGE_WITHOUT_ENTRY_IN_TREE("found no entry", treeWithout()),
        ABSURD_ENTRY_LENGTH("times the capacity", absurdEntry()),
        PACK_OF_GARBAGE("", garbagePack()),
        TOO_MANY_PIECES("pieces of 4096 bytes", lengthOf((Limits.MAX_PIECES - 1) * Shipment.PIECE)),
        TREE_WITH_TOO_MANY_PIECES("pieces of 4096 bytes", treeOf((Limits.MAX_PIECES - 1) * Shipment.PIECE)),
        DAMAGED_PIECE_BEYOND("expected an index below 3", damaged(reindexed(Limits.MAX_PIECES - 1))),
        FILE_LONGER_THAN_DISK_CAN("this disk cannot hold it", lengthOf(2 * LONGEST)),
        PIECE_OF_STREAM_BEYOND_DISK("this disk cannot hold it", streamMoved(2 * LONGEST)),
        ENTRY_LONGER_THAN_DISK_CAN("this disk cannot hold it", entryOf(2 * LONGEST)),
        PACK_BEYOND_DISK("this disk cannot hold it", packAt(2 * LONGEST / Shipment.PIECE)),
        LINK_TARGET_OF_MOST_BYTES("name too long", longTarget());

        final String reason;
        final List<Frame> frames;

        Lie(String reason, List<Frame> frames) {
            this.reason = reason;
            this.frames = frames;
        }
    }

    @ParameterizedTest
    @EnumSource(Lie.class)
    void shouldRefuseWithReasonAndLeaveNothingWhenPublisherLies(Lie lie) throws IOException {
        // given
        Set<Lie> notWhatWasSealed = EnumSet.of(
                Lie.WRONG_DIGEST,
                Lie.TREE_DIGEST_WRONG,
                Lie.TREE_WITH_FEWER_ENTRIES,
                Lie.TREE_WITH_OTHER_LENGTH,
                Lie.ENTRY_NUMBER_TWICE);
        Rig rig = new Rig(directory);
        rig.disk = StrangeDisk.ofShortFiles(LONGEST);
        Path outside = Files.createDirectories(directory.resolve("outside"));
        Files.createDirectories(rig.into);
        Files.writeString(rig.into.resolve("file"), "mine");
        Files.createSymbolicLink(rig.into.resolve("link"), outside);
        rig.open();
        var before = rig.content();

        // when
        rig.publish(lie.frames);
        rig.run();

        // then
        assertThat(rig.receipts()).singleElement().satisfies(receipt -> {
            assertThat(receipt.outcome()).isEqualTo(Receipt.Outcome.FAILED);
            assertThat(receipt.reason()).contains(lie.reason);
            assertThat(Failures.isVerification(receipt)).as(receipt.reason()).isEqualTo(notWhatWasSealed.contains(lie));
        });
        assertThat(rig.content()).isEqualTo(before);
        assertThat(outside).isEmptyDirectory();
        assertThat(rig.leftovers()).isEmpty();
        assertThat(rig.backlog()).isZero();
        assertThat(rig.ended).hasSize(1);

        // and the next honest transfer passes
        rig.publish(Shipment.file(99, "honest", CONTENT));
        rig.run();
        assertThat(rig.into.resolve("honest")).hasBinaryContent(CONTENT);
    }

    private static Shipment honest() {
        return Shipment.file(1, "x", CONTENT);
    }

    private static List<Frame> named(String name) {
        return Shipment.file(1, name, CONTENT).frames();
    }

    private static List<Frame> otherTopic() {
        Manifest m = honest().manifest();
        return honest().withManifest(new Manifest(
                        m.transfer(), "weather", "x", false, m.pieceSize(), m.length(), 0600, 0, "publisher", 0))
                .frames();
    }

    private static List<Frame> absurd() {
        Manifest m = honest().manifest();
        return honest().withManifest(
                        new Manifest(m.transfer(), m.topic(), "x", false, 4 << 20, 1L << 52, 0600, 0, "publisher", 0))
                .frames();
    }

    private static List<Frame> lengthOf(long length) {
        return honest().withManifest(Shipment.manifest(1, "x", false, length)).frames();
    }

    private static List<Frame> sealed(long pieces, long entries, long length) {
        Shipment honest = honest();
        List<Frame> frames = new ArrayList<>(honest.frames());
        frames.set(
                frames.size() - 1,
                new Seal(Shipment.id(1), length, honest.seal().digest(), pieces, entries));
        return frames;
    }

    private static List<Frame> streamSealed(long length) {
        List<Frame> frames = new ArrayList<>(sealed(3, 1, length));
        frames.set(0, Shipment.manifest(1, "x", false, -1));
        if (length < CONTENT.length) {
            Collections.rotate(frames.subList(1, frames.size()), 1);
        }
        return frames;
    }

    private static List<Frame> wrongDigest() {
        List<Frame> frames = new ArrayList<>(honest().frames());
        frames.set(frames.size() - 1, new Seal(Shipment.id(1), CONTENT.length, "0".repeat(64), 3, 1));
        return frames;
    }

    private static List<Frame> twoSeals() {
        List<Frame> frames = new ArrayList<>(List.of(honest().manifest(), honest().seal()));
        frames.add(wrongDigest().get(4));
        return frames;
    }

    private static List<Frame> twoManifests() {
        return List.of(honest().manifest(), Shipment.manifest(1, "y", false, CONTENT.length));
    }

    private static List<Frame> moved(int piece, long offset) {
        List<Frame> frames = new ArrayList<>(honest().frames());
        Piece moving = honest().pieces().get(piece);
        PieceHeader h = moving.header();
        frames.set(
                1 + piece,
                new Piece(
                        new PieceHeader(h.transfer(), h.index(), h.kind(), offset, h.length(), h.crc32c(), h.entry()),
                        moving.body()));
        return frames;
    }

    private static List<Frame> reindexed(long index) {
        Piece piece = honest().pieces().get(2);
        PieceHeader h = piece.header();
        return List.of(
                honest().manifest(),
                new Piece(
                        new PieceHeader(h.transfer(), index, h.kind(), h.offset(), h.length(), h.crc32c(), h.entry()),
                        piece.body()));
    }

    private static List<Frame> absurdIndex() {
        List<Frame> frames = new ArrayList<>(reindexed(2_000_000_000L));
        frames.set(0, Shipment.manifest(1, "x", false, -1));
        return frames;
    }

    private static List<Frame> damaged(List<Frame> frames) {
        PieceHeader h = ((Piece) frames.get(1)).header();
        byte[] other = Shipment.random(7, h.length());
        return List.of(frames.get(0), new Piece(h, ByteBuffer.wrap(other)));
    }

    private static List<Frame> treeOf(long length) {
        List<Frame> frames = new ArrayList<>(tree(file("a")));
        frames.set(0, Shipment.manifest(1, "x", true, length));
        return frames;
    }

    private static List<Frame> streamMoved(long offset) {
        List<Frame> frames = new ArrayList<>(moved(2, offset));
        frames.set(0, Shipment.manifest(1, "x", false, -1));
        return frames;
    }

    private static List<Frame> entryOf(long length) {
        Entry entry = new Entry(0, "a", EntryType.FILE, 0600, 0, length, "");
        return List.of(
                Shipment.manifest(1, "x", true, -1),
                Shipment.range(Shipment.id(1), 0, 0, new byte[] {1}, Optional.of(entry)));
    }

    private static List<Frame> longTarget() {
        Manifest m = Shipment.manifest(1, "x", true, -1);
        Entry link = Shipment.link("a", "b/".repeat(2047) + "bb");
        ByteBuffer pack = ByteBuffer.allocate(2 * Shipment.PIECE);
        io.longhaul.wire.PackCodec.append(pack, link, ByteBuffer.allocate(0));
        TreeDigest digest = new TreeDigest();
        digest.add(link, Digests.sha256().digest());
        return List.of(
                new Manifest(m.transfer(), m.topic(), "x", true, 2 * Shipment.PIECE, -1, 0700, 0, "publisher", 0),
                Shipment.pack(Shipment.id(1), 0, Shipment.taken(pack)),
                new Seal(Shipment.id(1), 0, digest.hex(), 1, 1));
    }

    private static List<Frame> packAt(long index) {
        Piece pack = Shipment.tree(1, "x", List.of(file("a"))).pieces().get(0);
        byte[] body = new byte[pack.body().remaining()];
        pack.body().duplicate().get(body);
        return List.of(Shipment.manifest(1, "x", true, -1), Shipment.pack(Shipment.id(1), index, body));
    }

    private static List<Frame> longPiece() {
        byte[] body = Shipment.random(1, Shipment.PIECE + 1);
        return List.of(honest().manifest(), Shipment.range(Shipment.id(1), 0, 0, body, Optional.empty()));
    }

    private static List<Frame> packInFile() {
        Shipment tree = Shipment.tree(1, "x", List.of(file("a")));
        return List.of(honest().manifest(), tree.pieces().get(0));
    }

    private static Shipment.Node file(String path) {
        return Shipment.Node.file(path, Shipment.random(path.length(), 100));
    }

    private static Shipment.Node large(String path) {
        return Shipment.Node.file(path, Shipment.random(path.length(), 5_000));
    }

    private static Shipment.Node dir(String path) {
        return Shipment.Node.of(Shipment.directory(path));
    }

    private static Shipment.Node link(String path, String target) {
        return Shipment.Node.of(Shipment.link(path, target));
    }

    private static List<Frame> tree(Shipment.Node... nodes) {
        return Shipment.tree(1, "x", List.of(nodes)).frames();
    }

    private static List<Frame> treeSealed(long entries, long length, String digest) {
        Shipment tree = Shipment.tree(1, "x", List.of(file("a"), file("b")));
        List<Frame> frames = new ArrayList<>(tree.frames());
        String claimed = digest == null ? tree.seal().digest() : digest;
        frames.set(frames.size() - 1, new Seal(Shipment.id(1), length, claimed, 1, entries));
        return frames;
    }

    private static List<Frame> numberTwice() {
        Shipment.Node one = file("a").numbered(0);
        Shipment.Node other = file("b").numbered(0);
        ByteBuffer pack = ByteBuffer.allocate(Shipment.PIECE);
        io.longhaul.wire.PackCodec.append(pack, one.entry(), ByteBuffer.wrap(one.content()));
        io.longhaul.wire.PackCodec.append(pack, other.entry(), ByteBuffer.wrap(other.content()));
        return List.of(
                Shipment.manifest(1, "x", true, -1),
                Shipment.pack(Shipment.id(1), 0, Shipment.taken(pack)),
                new Seal(Shipment.id(1), 200, "0".repeat(64), 1, 2));
    }

    private static List<Frame> changingEntry() {
        List<Frame> frames = new ArrayList<>(tree(large("a")));
        Piece second = (Piece) frames.get(2);
        PieceHeader h = second.header();
        Entry e = h.entry().orElseThrow();
        Entry other = new Entry(e.number(), "b", e.type(), e.mode(), e.modifiedNanos(), e.length(), "");
        frames.set(
                2,
                new Piece(
                        new PieceHeader(
                                h.transfer(),
                                h.index(),
                                h.kind(),
                                h.offset(),
                                h.length(),
                                h.crc32c(),
                                Optional.of(other)),
                        second.body()));
        return frames;
    }

    private static List<Frame> treeWithout() {
        return List.of(
                Shipment.manifest(1, "x", true, -1),
                Shipment.range(Shipment.id(1), 0, 0, new byte[] {1}, Optional.empty()));
    }

    private static List<Frame> absurdEntry() {
        Entry entry = new Entry(0, "a", EntryType.FILE, 0600, 0, 1L << 59, "");
        return List.of(
                Shipment.manifest(1, "x", true, -1),
                Shipment.range(Shipment.id(1), 0, 0, new byte[] {1}, Optional.of(entry)));
    }

    private static List<Frame> garbagePack() {
        return List.of(Shipment.manifest(1, "x", true, -1), Shipment.pack(Shipment.id(1), 0, Shipment.random(3, 500)));
    }
}
