package io.longhaul.gridftp.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.file.DirectoryBackend;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.rights.Rights.Right;
import io.longhaul.gridftp.rights.Rights.Rule;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendContract;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.Directory;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user's root in which everything is allowed is a back end as any other. */
final class RightsBackendTest extends BackendContract {
    private static final ByteRange ALL = new ByteRange(0, Long.MAX_VALUE);

    @TempDir
    private Path place;

    private DirectoryBackend behind;
    private Backend anns;
    private Backend bobs;

    @BeforeEach
    void open() throws IOException {
        Files.createDirectories(place.resolve("home/ann"));
        Files.createDirectories(place.resolve("data/in"));
        Files.createDirectories(place.resolve("data/kept"));
        Files.writeString(place.resolve("data/f"), "f");
        Files.writeString(place.resolve("secret"), "s");
        behind = DirectoryBackend.open(place, 1, System::nanoTime, new Random());
        anns = new Rights(path("/home/ann"), Rights.ALL.rules()).over(behind);
        bobs = new Rights(
                        FilePath.ROOT,
                        List.of(
                                new Rule(path("/data"), Right.READ),
                                new Rule(path("/data/in"), Right.WRITE),
                                new Rule(path("/data/in/done"), Right.READ)))
                .over(behind);
    }

    @AfterEach
    void close() {
        behind.close();
    }

    @Override
    protected Backend backend() {
        return anns;
    }

    private static FilePath path(String text) {
        return FilePath.of(text);
    }

    private List<String> names(String path) {
        return bobs.list(path(path)).join().stream().map(Entry::name).sorted().toList();
    }

    @Test
    void shouldStayInItsRootWhenAPathLeadsUp() {
        put("/a", "a");

        assertThat(place.resolve("home/ann/a")).exists();
        assertFails(Code.NOT_FOUND, () -> anns.stat(path("/../../secret")).join());
        assertFails(Code.NOT_FOUND, () -> anns.stat(path("/home/ann/a")).join());
    }

    @Test
    void shouldNotTellWhereTheRootIsWhenSomethingFails() throws IOException {
        // given
        Files.createDirectories(place.resolve("home/ann/d/e"));
        Files.createSymbolicLink(place.resolve("home/ann/d/e/link"), Path.of(".."));
        Sink sink = anns.write(WriteRequest.replace(path("/new"))).join();
        Files.createDirectory(place.resolve("home/ann/new"));

        // then
        for (CompletableFuture<?> failed : List.of(
                anns.stat(path("/none")),
                anns.list(path("/none")),
                anns.read(path("/none"), List.of(ALL)),
                anns.deleteFile(path("/d")),
                anns.makeDirectory(path("/d")),
                anns.rename(path("/none"), path("/other")),
                anns.rename(path("/d/e"), path("/e")),
                sink.commit(bytes -> {}))) {
            assertThatThrownBy(failed::join).cause().hasMessageMatching("/(none|d|new|d/e/link): [^/]*");
        }
    }

    @Test
    void shouldShowOnlyTheWayWhenRightsBeginBelow() {
        assertThat(names("/")).containsExactly("data");
        assertThat(names("/data")).containsExactly("f", "in", "kept");
        assertThat(bobs.stat(FilePath.ROOT).join().writable()).isFalse();
        assertThat(bobs.stat(path("/data/f")).join().writable()).isFalse();
        assertThat(bobs.stat(path("/data/in")).join().writable()).isTrue();
        Directory data = bobs.directory(path("/data")).join();
        assertThat(data.entries()).extracting(Entry::name).containsExactlyInAnyOrder("f", "in", "kept");
        assertThat(data.self().writable()).isFalse();
        assertThat(bobs.directory(path("/data/in")).join().self().writable()).isTrue();
    }

    @Test
    void shouldNotTellWhatIsThereWhenThereIsNoRight() {
        for (String hidden : List.of("/secret", "/none", "/home", "/home/ann")) {
            assertFails(Code.DENIED, () -> bobs.stat(path(hidden)).join());
            assertFails(Code.DENIED, () -> bobs.list(path(hidden)).join());
            assertFails(Code.DENIED, () -> bobs.directory(path(hidden)).join());
            assertFails(Code.DENIED, () -> bobs.read(path(hidden), List.of(ALL)).join());
            assertFails(
                    Code.DENIED,
                    () -> bobs.checksum(path(hidden), ChecksumAlgorithm.MD5, ALL, done -> {})
                            .join());
        }
    }

    @Test
    void shouldChangeNothingWhenARightIsToReadOnly() throws IOException {
        FilePath file = path("/data/f");

        assertFails(Code.DENIED, () -> bobs.write(WriteRequest.replace(file)).join());
        assertFails(Code.DENIED, () -> bobs.deleteFile(file).join());
        assertFails(Code.DENIED, () -> bobs.setModified(file, Instant.EPOCH).join());
        assertFails(Code.DENIED, () -> bobs.setMode(file, 0).join());
        assertFails(Code.DENIED, () -> bobs.makeDirectory(path("/data/new")).join());
        assertFails(Code.DENIED, () -> bobs.removeDirectory(path("/data/kept")).join());
        assertFails(Code.DENIED, () -> bobs.rename(file, path("/data/in/f")).join());
        assertFails(Code.DENIED, () -> bobs.makeDirectory(path("/data/in/done")).join());
        assertThat(bobs.checksum(file, ChecksumAlgorithm.ADLER32, ALL, done -> {})
                        .join())
                .isEqualTo("00670067");
        assertThat(Files.readString(place.resolve("data/f"))).isEqualTo("f");
    }

    @Test
    void shouldNotMoveRightsWhenADirectoryAboveIsRenamed() throws IOException {
        Files.createDirectories(place.resolve("data/in/done"));
        Files.createDirectories(place.resolve("data/in/own"));

        assertFails(
                Code.DENIED,
                () -> bobs.rename(path("/data/in"), path("/data/other")).join());
        assertFails(
                Code.DENIED,
                () -> bobs.rename(path("/data/in/done"), path("/data/in/mine")).join());
        assertFails(
                Code.DENIED,
                () -> bobs.rename(path("/data/in/own"), path("/data/in/done")).join());
        bobs.rename(path("/data/in/own"), path("/data/in/mine")).join();
        assertThat(place.resolve("data/in/mine")).exists();
    }

    @Test
    void shouldMoveNoLinkWhenItWouldLeadOutOfTheRootFromThere() throws IOException {
        // given
        Files.createDirectories(place.resolve("home/bob"));
        Files.writeString(place.resolve("home/bob/secret"), "s");
        Files.createDirectories(place.resolve("home/ann/a/b/c"));
        Files.createDirectories(place.resolve("home/ann/bob"));
        Files.createSymbolicLink(place.resolve("home/ann/a/link"), Path.of("../bob"));
        Files.createSymbolicLink(place.resolve("home/ann/a/none"), Path.of("../../secret"));
        Files.createSymbolicLink(place.resolve("home/ann/a/b/c/deep"), Path.of("../../../bob"));

        // then
        assertFails(
                Code.DENIED, () -> anns.rename(path("/a/link"), path("/link")).join());
        assertFails(
                Code.NOT_FOUND,
                () -> anns.rename(path("/a/none"), path("/none")).join());
        assertFails(Code.DENIED, () -> anns.rename(path("/a/b"), path("/b")).join());
        assertThat(place.resolve("home/ann/a/b/c/deep")).exists();

        // when
        anns.rename(path("/a/link"), path("/a/other")).join();
        anns.rename(path("/a"), path("/d")).join();

        // then
        assertThat(anns.list(path("/d/other")).join()).isEmpty();
    }

    @Test
    void shouldStayInItsRootWhenALinkLeadsOut() throws IOException {
        // given
        Files.createDirectories(place.resolve("home/bob"));
        Files.writeString(place.resolve("home/bob/f"), "bob's");
        Files.createSymbolicLink(place.resolve("home/ann/link"), Path.of("../bob"));
        Files.createSymbolicLink(place.resolve("home/ann/file"), Path.of("../bob/f"));
        put("/own", "ann's");
        Files.createSymbolicLink(place.resolve("home/ann/inside"), Path.of("own"));

        // then
        for (String out : List.of("/link/f", "/file")) {
            assertFails(Code.DENIED, () -> anns.stat(path(out)).join());
            assertFails(Code.DENIED, () -> anns.read(path(out), List.of(ALL)).join());
            assertFails(
                    Code.DENIED,
                    () -> anns.checksum(path(out), ChecksumAlgorithm.MD5, ALL, done -> {})
                            .join());
            assertFails(
                    Code.DENIED,
                    () -> anns.write(WriteRequest.replace(path(out))).join());
            assertFails(Code.DENIED, () -> anns.setMode(path(out), 0).join());
            assertFails(
                    Code.DENIED,
                    () -> anns.setModified(path(out), Instant.EPOCH).join());
        }
        assertFails(Code.DENIED, () -> anns.list(path("/link")).join());
        assertFails(
                Code.DENIED,
                () -> anns.write(WriteRequest.replace(path("/link/new"))).join());
        assertFails(Code.DENIED, () -> anns.makeDirectory(path("/link/new")).join());
        assertFails(Code.DENIED, () -> anns.deleteFile(path("/link/f")).join());
        assertFails(
                Code.DENIED, () -> anns.rename(path("/own"), path("/link/own")).join());
        assertFails(Code.DENIED, () -> anns.rename(path("/link/f"), path("/f")).join());
        assertThat(anns.list(FilePath.ROOT).join().stream().map(Entry::name))
                .containsExactlyInAnyOrder("own", "inside", "link", "file");
        assertThat(get("/inside", ALL)).isEqualTo("ann's");
        anns.deleteFile(path("/file")).join();
        assertThat(Files.readString(place.resolve("home/bob/f"))).isEqualTo("bob's");
    }

    @Test
    void shouldHaveTheRightsOfThePlaceThatALinkLeadsTo() throws IOException {
        // given
        Files.createSymbolicLink(place.resolve("data/in/up"), Path.of("../kept"));
        Files.createSymbolicLink(place.resolve("data/hidden"), Path.of("../home"));
        Files.writeString(place.resolve("data/kept/f"), "f");

        // then
        assertThat(names("/data")).containsExactly("f", "in", "kept");
        assertThat(bobs.list(path("/data/in/up")).join()).hasSize(1);
        assertThat(bobs.stat(path("/data/in/up/f")).join().writable()).isFalse();
        assertFails(
                Code.DENIED,
                () -> bobs.write(WriteRequest.replace(path("/data/in/up/f"))).join());
        assertFails(Code.DENIED, () -> bobs.list(path("/data/hidden")).join());
    }

    @Test
    void shouldHaveTheRightsOfARuleWhenItsPathIsALink() throws IOException {
        // given
        Files.createDirectories(place.resolve("vol7/scratch/kept"));
        Files.writeString(place.resolve("vol7/other"), "o");
        Files.createSymbolicLink(place.resolve("scratch"), Path.of("vol7/scratch"));
        Files.createSymbolicLink(place.resolve("vol7/scratch/out"), Path.of("../other"));
        Backend linked = new Rights(
                        FilePath.ROOT,
                        List.of(
                                new Rule(path("/scratch"), Right.WRITE),
                                new Rule(path("/scratch/kept"), Right.READ),
                                new Rule(path("/none/there"), Right.READ)))
                .over(behind);

        // when
        linked.makeDirectory(path("/scratch/d")).join();
        linked.rename(path("/scratch/d"), path("/scratch/e")).join();

        // then
        assertThat(place.resolve("vol7/scratch/e")).isDirectory();
        assertThat(linked.list(FilePath.ROOT).join()).extracting(Entry::name).containsExactly("scratch");
        assertThat(linked.list(path("/scratch")).join())
                .filteredOn(Entry::writable)
                .extracting(Entry::name)
                .containsExactlyInAnyOrder("e", "out");
        assertThat(linked.stat(path("/scratch/e")).join().writable()).isTrue();
        assertFails(
                Code.DENIED, () -> linked.makeDirectory(path("/scratch/kept/d")).join());
        assertFails(Code.DENIED, () -> linked.stat(path("/scratch/out")).join());
        assertFails(Code.DENIED, () -> linked.stat(path("/vol7/scratch/e")).join());
    }

    @Test
    void shouldGiveAPlaceTheRightOfTheLinkOnlyWhenThatLeadsThere() throws IOException {
        // given
        Files.createSymbolicLink(place.resolve("way"), Path.of("data/kept"));
        Backend two = new Rights(
                        FilePath.ROOT,
                        List.of(new Rule(path("/data/kept"), Right.READ), new Rule(path("/way"), Right.WRITE)))
                .over(behind);

        // when
        two.makeDirectory(path("/way/d")).join();

        // then
        assertFails(Code.DENIED, () -> two.makeDirectory(path("/data/kept/e")).join());
        assertThat(place.resolve("data/kept/d")).isDirectory();
    }

    @Test
    void shouldShowNothingButTheNameWhenALinkThatMayBeRemovedLeadsOut() throws IOException {
        // given
        Files.writeString(place.resolve("home/bob"), "bob's");
        Files.createDirectories(place.resolve("home/ann/d"));
        Files.createSymbolicLink(place.resolve("home/ann/d/link"), Path.of("../../bob"));

        // when
        List<Entry> listed = anns.list(path("/d")).join();
        anns.deleteFile(path("/d/link")).join();
        anns.removeDirectory(path("/d")).join();

        // then
        assertThat(listed)
                .containsExactly(new Entry("link", Entry.Type.OTHER, 0, Instant.EPOCH, true, Optional.empty()));
        assertThat(place.resolve("home/ann/d")).doesNotExist();
        assertThat(place.resolve("home/bob")).exists();
    }

    @Test
    void shouldFindItsRootWhenThatIsALink() throws IOException {
        Files.createSymbolicLink(place.resolve("anns"), Path.of("home/ann"));
        put("/f", "f");

        Backend linked = new Rights(path("/anns"), Rights.ALL.rules()).over(behind);

        assertThat(linked.list(FilePath.ROOT).join()).hasSize(1);
        assertThat(linked.stat(path("/f")).join().length()).isEqualTo(1);
    }

    @Test
    void shouldMoveADirectoryWhenNoLinkIsInIt() throws IOException {
        Files.createDirectories(place.resolve("home/ann/a/b/c"));
        put("/a/b/c/f", "f");
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(place.resolve("home/ann/a/b/socket")));
        }

        anns.rename(path("/a/b"), path("/b")).join();

        assertThat(get("/b/c/f", ALL)).isEqualTo("f");
    }

    @Test
    void shouldNameAPathThatIsCalledLikeTheRootAsItsUserDoes() throws IOException {
        Files.createDirectories(place.resolve("home/ann/home/ann"));

        CompletableFuture<Void> moved = anns.rename(path("/home/ann/none"), path("/home/ann/other"));

        assertThatThrownBy(moved::join).hasMessageContaining(" /home/ann/none: ");
    }
}
