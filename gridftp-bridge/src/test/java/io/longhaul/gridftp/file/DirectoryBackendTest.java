package io.longhaul.gridftp.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendContract;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Block;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.Source;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DirectoryBackendTest extends BackendContract {
    @TempDir
    private Path place;

    private Path root;
    private DirectoryBackend backend;

    @BeforeEach
    void open() throws IOException {
        root = Files.createDirectory(place.resolve("root"));
        Files.writeString(place.resolve("secret"), "secret");
        backend = DirectoryBackend.open(root, 2, System::nanoTime, new Random());
    }

    @AfterEach
    void close() {
        backend.close();
    }

    @Override
    protected Backend backend() {
        return backend;
    }

    private static FilePath path(String text) {
        return FilePath.of(text);
    }

    @Test
    void shouldNameTheDestinationWhenThatCannotBeHad() throws IOException {
        // given
        Files.writeString(root.resolve("there"), "x");
        Files.createDirectory(root.resolve("full"));

        // then
        assertThatThrownBy(() ->
                        backend.rename(path("/there"), path("/missing/new")).join())
                .hasMessageContaining("/missing/new: No such file or directory");
        assertThatThrownBy(() -> backend.rename(path("/full"), path("/there")).join())
                .hasMessageContaining("/there: ");
        assertThatThrownBy(() -> backend.rename(path("/gone"), path("/new")).join())
                .hasMessageContaining("/gone: No such file or directory");
    }

    @Test
    void shouldStayInsideWhenALinkLeadsOut() throws IOException {
        // given
        Files.createSymbolicLink(root.resolve("out"), place);
        Files.createSymbolicLink(root.resolve("file"), place.resolve("secret"));
        Files.createSymbolicLink(root.resolve("none"), place.resolve("none"));
        ByteRange all = new ByteRange(0, 100);

        // then
        assertFails(Code.DENIED, () -> backend.read(path("/file"), List.of(all)).join());
        assertFails(
                Code.DENIED,
                () -> backend.read(path("/out/secret"), List.of(all)).join());
        assertFails(Code.DENIED, () -> backend.stat(path("/out/secret")).join());
        assertFails(Code.DENIED, () -> backend.stat(path("/file")).join());
        assertFails(Code.DENIED, () -> backend.list(path("/out")).join());
        assertFails(
                Code.DENIED,
                () -> backend.write(WriteRequest.replace(path("/out/new"))).join());
        assertFails(
                Code.DENIED,
                () -> backend.write(WriteRequest.replace(path("/file"))).join());
        assertFails(
                Code.NOT_FOUND,
                () -> backend.write(WriteRequest.replace(path("/none"))).join());
        assertFails(Code.DENIED, () -> backend.deleteFile(path("/out/secret")).join());
        assertFails(Code.DENIED, () -> backend.makeDirectory(path("/out/new")).join());
        assertThat(Files.readString(place.resolve("secret"))).isEqualTo("secret");
        assertThat(Files.exists(place.resolve("none"))).isFalse();
    }

    @Test
    void shouldStayInsideWhenALinkLeadsOutOnlyAfterItWasMoved() throws IOException {
        // given
        Files.createDirectories(root.resolve("a/b"));
        Files.createDirectories(root.resolve("outside"));
        Path outside = Files.createDirectory(place.resolve("outside"));
        Files.writeString(outside.resolve("f"), "secret");
        Files.setPosixFilePermissions(outside.resolve("f"), PosixFilePermissions.fromString("rw-------"));
        FileTime time = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));
        Files.setLastModifiedTime(outside.resolve("f"), time);
        put("/outside/f", "mine");
        Files.createSymbolicLink(root.resolve("a/directory"), Path.of("../outside"));
        Files.createSymbolicLink(root.resolve("a/b/file"), Path.of("../../outside/f"));
        assertThat(get("/a/b/file", new ByteRange(0, 100))).isEqualTo("mine");

        // when
        backend.rename(path("/a/directory"), path("/directory")).join();
        backend.rename(path("/a/b"), path("/b")).join();

        // then
        for (String link : List.of("/b/file", "/directory/f")) {
            FilePath file = path(link);
            assertFails(
                    Code.DENIED,
                    () -> backend.read(file, List.of(new ByteRange(0, 100))).join());
            assertFails(
                    Code.DENIED, () -> backend.write(WriteRequest.replace(file)).join());
            assertFails(
                    Code.DENIED,
                    () -> backend.checksum(file, ChecksumAlgorithm.MD5, new ByteRange(0, 100), done -> {})
                            .join());
            assertFails(Code.DENIED, () -> backend.stat(file).join());
            assertFails(Code.DENIED, () -> backend.setMode(file, 0777).join());
            assertFails(
                    Code.DENIED, () -> backend.setModified(file, Instant.EPOCH).join());
        }
        assertFails(Code.DENIED, () -> backend.list(path("/directory")).join());
        assertFails(
                Code.DENIED, () -> backend.makeDirectory(path("/directory/new")).join());
        assertFails(Code.DENIED, () -> backend.deleteFile(path("/directory/f")).join());
        assertFails(
                Code.DENIED,
                () -> backend.rename(path("/directory/f"), path("/f")).join());
        assertFails(
                Code.DENIED,
                () -> backend.rename(path("/outside/f"), path("/directory/g")).join());
        assertThat(outside).isDirectoryContaining("glob:**/f").isDirectoryNotContaining("glob:**/{new,g}");
        assertThat(outside.resolve("f")).hasContent("secret");
        assertThat(Files.getLastModifiedTime(outside.resolve("f"))).isEqualTo(time);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(outside.resolve("f"))))
                .isEqualTo("rw-------");
    }

    @Test
    void shouldNotTellWhereALinkLeadsWhenItLeadsOut() throws IOException {
        Files.createSymbolicLink(root.resolve("out"), place);

        Entry entry = backend.list(FilePath.ROOT).join().get(0);

        assertThat(entry.type()).isEqualTo(Entry.Type.OTHER);
        assertThat(entry.unix().orElseThrow().linkTarget()).isEmpty();
    }

    /** Reads a file of two blocks, and does something between them. */
    private CompletableFuture<Optional<Block>> lastBlock(Path file, ThrowingCallable between) throws IOException {
        Files.write(file, new byte[300_000]);
        Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
        try (Source source =
                backend.read(path("/f"), List.of(new ByteRange(0, 300_000))).join()) {
            source.next().join().orElseThrow().bytes().release();
            assertThatCode(between).doesNotThrowAnyException();
            return source.next();
        }
    }

    @Test
    void shouldFailWhenTheFileIsRewrittenWhileItIsRead() throws IOException {
        Path file = root.resolve("f");

        assertFails(
                Code.FAILED,
                () -> lastBlock(file, () -> Files.write(file, new byte[300_000]))
                        .join());
    }

    @Test
    void shouldReadOnWhenTheFileGrowsOrIsReplaced() throws IOException {
        Path file = root.resolve("f");
        Path other = Files.write(root.resolve("other"), new byte[300_000]);
        Block grown = lastBlock(file, () -> Files.write(file, new byte[1], StandardOpenOption.APPEND))
                .join()
                .orElseThrow();
        Block replaced = lastBlock(file, () -> Files.move(other, file, StandardCopyOption.REPLACE_EXISTING))
                .join()
                .orElseThrow();

        assertThat(grown.bytes().readableBytes()).isEqualTo(300_000 - 256 * 1024);
        assertThat(replaced.bytes().readableBytes()).isEqualTo(300_000 - 256 * 1024);
        grown.bytes().release();
        replaced.bytes().release();
    }

    @Test
    void shouldListTheOthersWhenALinkLeadsNowhere() throws IOException {
        put("/f", "text");
        Files.createSymbolicLink(root.resolve("itself"), Path.of("itself"));
        Files.createSymbolicLink(root.resolve("through"), Path.of("f/x"));

        assertThat(backend.list(FilePath.ROOT).join())
                .extracting(Entry::name)
                .containsExactlyInAnyOrder("f", "itself", "through");
    }

    @Test
    void shouldRefuseTheCommitWhenTheDirectoryHasBecomeALinkOut() throws IOException {
        // given
        backend.makeDirectory(path("/d")).join();
        Path outside = Files.createDirectory(place.resolve("outside"));
        Sink sink = backend.write(WriteRequest.replace(path("/d/f"))).join();

        // when
        Files.move(root.resolve("d"), root.resolve("moved"));
        Files.createSymbolicLink(root.resolve("d"), outside);

        // then
        assertFails(Code.DENIED, () -> sink.commit(bytes -> {}).join());
        assertThat(outside).isEmptyDirectory();
    }

    @Test
    void shouldLetNobodyElseInWhenFilesAreNotWholeYet() throws IOException {
        Sink sink = backend.write(WriteRequest.replace(path("/f"))).join();

        try (Stream<Path> places = Files.list(root.resolve(".longhaul"))) {
            assertThat(places)
                    .singleElement()
                    .satisfies(own -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
                            .isEqualTo("rwx------"));
        }
        sink.abort().join();
    }

    @Test
    void shouldFollowLinksWhenTheyStayInside() throws IOException {
        put("/a", "text");
        Files.createSymbolicLink(root.resolve("l"), Path.of("a"));

        put("/l", "other");

        assertThat(get("/a", new ByteRange(0, 100))).isEqualTo("other");
        assertThat(Files.isSymbolicLink(root.resolve("l"))).isTrue();
        backend.deleteFile(path("/l")).join();
        assertThat(Files.exists(root.resolve("a"))).isTrue();
    }

    @Test
    void shouldTakeEncodedDotsForANameWhenSomebodyTriesThem() {
        assertFails(Code.NOT_FOUND, () -> backend.stat(path("/%2e%2e/secret")).join());
        assertFails(Code.NOT_FOUND, () -> backend.stat(path("/..\\secret")).join());
    }

    @Test
    void shouldHideItsOwnDirectoryWhenSomethingIsWritten() {
        Sink sink = backend.write(WriteRequest.replace(path("/f"))).join();

        assertThat(backend.list(FilePath.ROOT).join()).isEmpty();
        assertFails(Code.NOT_FOUND, () -> backend.list(path("/.longhaul")).join());
        assertFails(
                Code.NOT_FOUND,
                () -> backend.makeDirectory(path("/.longhaul-x")).join());
        sink.abort().join();
    }

    @Test
    void shouldLeaveNothingInTheDirectoryWhenItIsClosed() throws IOException {
        Sink cut = backend.write(WriteRequest.replace(path("/f"))).join();
        cut.write(0, Unpooled.wrappedBuffer(new byte[10])).join();
        cut.suspend().join();

        backend.close();

        try (Stream<Path> files = Files.list(root)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void shouldRemoveWhatAKilledProcessLeftWhenItOpens() throws IOException {
        Path left = Files.createDirectories(root.resolve(".longhaul/front-0123456789abcdef"));
        Files.createFile(left.resolve("lock"));
        Files.writeString(left.resolve("part"), "x");

        DirectoryBackend.open(root, 1, System::nanoTime, new Random()).close();

        assertThat(left).doesNotExist();
    }

    @Test
    void shouldKeepRightsWhenAFileIsReplaced() throws IOException {
        put("/f", "old");
        Files.setPosixFilePermissions(root.resolve("f"), PosixFilePermissions.fromString("rw-rw-r--"));

        put("/f", "new");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve("f"))))
                .isEqualTo("rw-rw-r--");
    }

    @Test
    void shouldRefuseEarlyWhenMoreIsAnnouncedThanThereIsRoomFor() {
        WriteRequest request =
                new WriteRequest(path("/f"), WriteRequest.Kind.REPLACE, Long.MAX_VALUE, List.of(), Optional.empty());

        assertFails(Code.NO_SPACE, () -> backend.write(request).join());
    }

    @Test
    void shouldLeaveTheFileWhenOneOfTheWritesThatItIsCommittedBehindFails() {
        // given
        put("/f", "old");
        Sink sink = backend.write(WriteRequest.replace(path("/f"))).join();

        // when: no file has a byte at the last of all positions
        sink.write(0, Unpooled.wrappedBuffer(new byte[3]));
        CompletableFuture<Void> written = sink.write(Long.MAX_VALUE, Unpooled.wrappedBuffer(new byte[1]));
        CompletableFuture<Entry> committed = sink.commit(bytes -> {});

        // then
        assertThat(written).failsWithin(Duration.ofSeconds(60));
        assertFails(Code.FAILED, committed::join);
        assertThat(root.resolve("f")).hasContent("old");
    }

    @Test
    void shouldWriteWhenTheFileThatIsThereIsRemovedAtTheSameMoment() {
        // given
        AtomicBoolean isOver = new AtomicBoolean();
        CompletableFuture<Void> changing = CompletableFuture.runAsync(() -> {
            while (!isOver.get()) {
                try {
                    Files.writeString(root.resolve("f"), "x");
                    Files.delete(root.resolve("f"));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });

        // then
        try {
            for (int i = 0; i < 300; i++) {
                put("/f", "text");
            }
        } finally {
            isOver.set(true);
            changing.join();
        }
    }

    @Test
    void shouldTellWhichFileItGoesOnWithWhenItIsARestart() {
        put("/f", "hel");
        Sink restarted = backend()
                .write(new WriteRequest(
                        FilePath.of("/f"), Kind.RESTART, 0, List.of(new ByteRange(0, 3)), Optional.empty()))
                .join();

        assertThat(restarted.old()).contains(backend().stat(FilePath.of("/f")).join());
        restarted.abort().join();
    }
}
