package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.wire.Entry;
import io.longhaul.wire.EntryType;
import io.longhaul.wire.Frame;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.Piece;
import io.longhaul.wire.PieceHeader;
import io.longhaul.wire.Receipt;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileShapesTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, Shipment.PIECE - 1, Shipment.PIECE, Shipment.PIECE + 1, 300_000})
    void shouldDeliverExactBytesWithModeAndTimeWhenFileHasThisLength(int length) throws IOException {
        // given
        Rig rig = new Rig(directory).open();
        byte[] content = Shipment.random(length, length);

        // when
        rig.publish(Shipment.file(1, "report.bin", content));
        rig.run();

        // then
        Path file = rig.into.resolve("report.bin");
        assertThat(file).hasBinaryContent(content);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r-----");
        assertThat(Files.getLastModifiedTime(file).to(java.util.concurrent.TimeUnit.NANOSECONDS))
                .isEqualTo(Shipment.MODIFIED);
        assertThat(rig.receipts()).singleElement().satisfies(receipt -> {
            assertThat(receipt.outcome()).isEqualTo(Receipt.Outcome.DELIVERED);
            assertThat(receipt.digest()).isEqualTo(Shipment.hex(content));
            assertThat(receipt.path()).isEqualTo("report.bin");
        });
        assertThat(rig.ended)
                .singleElement()
                .satisfies(end -> assertThat(end.path()).isEqualTo(file.toRealPath()));
        assertThat(rig.leftovers()).isEmpty();
        assertThat(rig.backlog()).isZero();
    }

    @Test
    void shouldLeaveOutSetUidSetGidAndStickyBitsWhenPublisherHasThem() throws IOException {
        // given
        Rig rig = new Rig(directory).open();
        int mode = 07755;
        Shipment file = Shipment.file(1, "f", new byte[] {1});
        List<Shipment.Node> nodes = List.of(
                Shipment.Node.of(new Entry(0, "d", EntryType.DIRECTORY, mode, Shipment.MODIFIED, 0, "")),
                node("d/large", mode, Shipment.random(1, 2 * Shipment.PIECE)),
                node("d/small", mode, new byte[] {1}));
        Shipment tree = Shipment.tree(2, "t", nodes);

        // when
        rig.publish(file.withManifest(withMode(file.manifest(), mode)));
        rig.publish(tree.withManifest(withMode(tree.manifest(), mode)));
        rig.run();

        // then
        for (String name : List.of("f", "t", "t/d", "t/d/large", "t/d/small")) {
            assertThat((int) Files.getAttribute(rig.into.resolve(name), "unix:mode") & 07777)
                    .as(name)
                    .isEqualTo(0755);
        }
    }

    private static Shipment.Node node(String path, int mode, byte[] content) {
        return new Shipment.Node(
                new Entry(0, path, EntryType.FILE, mode, Shipment.MODIFIED, content.length, ""), content);
    }

    private static Manifest withMode(Manifest m, int mode) {
        return new Manifest(
                m.transfer(),
                m.topic(),
                m.name(),
                m.tree(),
                m.pieceSize(),
                m.length(),
                mode,
                m.modifiedNanos(),
                m.publisher(),
                m.publishedMillis());
    }

    @ParameterizedTest
    @CsvSource({"0, 300000", "0, 100", "70000, 200000", "5000, 60000", "290000, 300000", "299999, 300000"})
    void shouldDeliverExactBytesWhenPartOfTheFileIsZero(int from, int to) {
        // given
        Rig rig = new Rig(directory).open();
        byte[] content = Shipment.random(from, 300_000);
        Arrays.fill(content, from, to, (byte) 0);

        // when
        rig.publish(Shipment.file(1, "zeros.bin", content));
        rig.run();

        // then
        assertThat(rig.into.resolve("zeros.bin")).hasBinaryContent(content);
        assertThat(rig.receipts())
                .singleElement()
                .satisfies(receipt -> assertThat(receipt.digest()).isEqualTo(Shipment.hex(content)));
    }

    static List<String> names() {
        return List.of(
                "with blanks in it",
                "line\nbreak",
                "grüße-日本語-🚀",
                "x".repeat(255),
                "a/b/c/deep.txt",
                "d/".repeat(40) + "leaf");
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldDeliverUnderTheExactNameWhenNameIsUnusual(String name) {
        // given
        Rig rig = new Rig(directory).open();
        byte[] content = Shipment.random(5, 10_000);

        // when
        rig.publish(Shipment.file(1, name, content));
        rig.run();

        // then
        assertThat(rig.into.resolve(name)).hasBinaryContent(content);
    }

    @Test
    void shouldKeepHolesWhenFileIsSparse() throws IOException {
        // given
        Rig rig = new Rig(directory).open();
        byte[] content = new byte[4 * 1024 * 1024];
        System.arraycopy(Shipment.random(1, Shipment.PIECE), 0, content, 1024 * 1024, Shipment.PIECE);

        // when
        rig.publish(Shipment.file(1, "sparse", content));
        rig.run(1_000_000_000L);

        // then
        Path file = rig.into.resolve("sparse");
        assertThat(file).hasBinaryContent(content);
        long blocks = blocks(file);
        assertThat(blocks * 512).as("allocated bytes").isLessThan(64 * 1024);
    }

    /** Zeros inside of a piece, which only larger pieces than a test's have beside other bytes. */
    @Test
    void shouldKeepHolesWhenTheSubscriberStartsAnewInBetween() throws IOException {
        // given
        byte[] content = new byte[1024 * 1024];
        System.arraycopy(Shipment.random(1, Shipment.PIECE), 0, content, 0, Shipment.PIECE);
        byte[] zeros = new byte[Shipment.PIECE];
        List<Frame> frames = new ArrayList<>(Shipment.file(1, "sparse", content).frames());
        frames.replaceAll(frame -> frame instanceof Piece hole && hole.header().kind() == PieceHeader.Kind.HOLE
                ? new Piece(
                        new PieceHeader(
                                Shipment.id(1),
                                hole.header().index(),
                                PieceHeader.Kind.RANGE,
                                hole.header().offset(),
                                zeros.length,
                                hole.header().crc32c(),
                                Optional.empty()),
                        ByteBuffer.wrap(zeros))
                : frame);
        Rig rig = new Rig(directory).open();
        rig.publish(frames.subList(0, 3));
        rig.run();
        rig.kill();

        // when
        rig.publish(frames.subList(3, frames.size()));
        rig.open().run(1_000_000_000L);

        // then
        Path file = rig.into.resolve("sparse");
        assertThat(file).hasBinaryContent(content);
        assertThat(blocks(file) * 512).as("allocated bytes").isLessThan(64 * 1024);
    }

    private static long blocks(Path file) throws IOException {
        Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
        return Long.parseLong(
                new String(stat.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII).trim());
    }

    @Test
    void shouldDeliverWholeTreeWhenItHasAllKindsOfEntries() throws IOException {
        // given
        Rig rig = new Rig(directory).open();
        List<Shipment.Node> nodes = allKinds();

        // when
        rig.publish(Shipment.tree(1, "data/tree", nodes));
        rig.run();

        // then
        Path tree = rig.into.resolve("data/tree");
        for (Shipment.Node node : nodes) {
            Path path = tree.resolve(node.entry().path());
            switch (node.entry().type()) {
                case FILE -> assertThat(path).hasBinaryContent(node.content());
                case DIRECTORY -> assertThat(path).isDirectory();
                case SYMLINK ->
                    assertThat(Files.readSymbolicLink(path))
                            .isEqualTo(Path.of(node.entry().target()));
            }
            if (node.entry().type() != io.longhaul.wire.EntryType.SYMLINK) {
                assertThat(Files.getLastModifiedTime(path).to(java.util.concurrent.TimeUnit.NANOSECONDS))
                        .as("%s", path)
                        .isEqualTo(Shipment.MODIFIED);
            }
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(tree)))
                .isEqualTo("rwxr-x---");
        assertThat(rig.receipts()).singleElement().satisfies(receipt -> {
            assertThat(receipt.outcome()).isEqualTo(Receipt.Outcome.DELIVERED);
            assertThat(receipt.path()).isEqualTo("data/tree");
        });
        assertThat(rig.leftovers()).isEmpty();
    }

    /** So many small files that they are not forced one by one. */
    static List<Shipment.Node> manyFiles() {
        return IntStream.range(0, TreeAssembly.MANY)
                .mapToObj(i -> Shipment.Node.file(String.format("f%03d", i), Shipment.random(i, 10)))
                .toList();
    }

    static List<Shipment.Node> allKinds() {
        List<Shipment.Node> nodes = new ArrayList<>();
        nodes.add(Shipment.Node.of(Shipment.directory("a")));
        nodes.add(Shipment.Node.file("a/empty", new byte[0]));
        nodes.add(Shipment.Node.file("a/large", Shipment.random(1, 3 * Shipment.PIECE + 17)));
        nodes.add(Shipment.Node.of(Shipment.link("a/link", "../b/small0")));
        nodes.add(Shipment.Node.of(Shipment.directory("b")));
        for (int i = 0; i < 20; i++) {
            nodes.add(Shipment.Node.file("b/small" + i, Shipment.random(i, 700)));
        }
        nodes.add(Shipment.Node.of(Shipment.directory("b/void")));
        byte[] sparse = new byte[5 * Shipment.PIECE];
        sparse[4 * Shipment.PIECE] = 1;
        nodes.add(Shipment.Node.file("c", sparse));
        nodes.add(Shipment.Node.of(Shipment.link("dangling", "nowhere")));
        return nodes;
    }

    @Test
    void shouldDeliverTreeWhenItIsFortyDirectoriesDeep() {
        // given
        Rig rig = new Rig(directory).open();
        List<Shipment.Node> nodes = new ArrayList<>();
        String path = "d";
        for (int i = 0; i < 40; i++) {
            nodes.add(Shipment.Node.of(Shipment.directory(path)));
            path += "/d";
        }
        nodes.add(Shipment.Node.file(path + "-leaf", Shipment.random(1, 100)));

        // when
        rig.publish(Shipment.tree(1, "deep", nodes));
        rig.run();

        // then
        assertThat(rig.into.resolve("deep/" + path + "-leaf")).hasBinaryContent(Shipment.random(1, 100));
    }

    @Test
    void shouldDeliverEmptyTreeWhenItHasNoEntries() {
        // given
        Rig rig = new Rig(directory).open();

        // when
        rig.publish(Shipment.tree(1, "nothing", List.of()));
        rig.run();

        // then
        assertThat(rig.into.resolve("nothing")).isEmptyDirectory();
    }

    @Test
    void shouldDeliverStreamWhenItsLengthIsUnknownAtFirst() {
        // given
        Rig rig = new Rig(directory).open();
        byte[] content = Shipment.random(9, 50_000);
        Shipment known = Shipment.file(1, "stream", content);

        // when
        rig.publish(known.withManifest(Shipment.manifest(1, "stream", false, -1)));
        rig.run();

        // then
        assertThat(rig.into.resolve("stream")).hasBinaryContent(content);
    }
}
