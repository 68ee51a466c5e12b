package io.longhaul.gridftp.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.file.DirectoryBackend;
import io.longhaul.gridftp.mount.MountTable.Mount;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendContract;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Directory;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.Source;
import io.longhaul.gridftp.spi.WriteRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table with a mount at the root is a back end as any other. */
final class MountTableTest extends BackendContract {
    @TempDir
    private Path place;

    private MountTable rooted;
    private MountTable table;

    @BeforeEach
    void open() throws IOException {
        rooted = new MountTable(List.of(mount("/", "root")), Instant.EPOCH);
        table = new MountTable(List.of(mount("/data/a", "a"), mount("/data/b", "b")), Instant.EPOCH);
    }

    private Mount mount(String path, String directory) throws IOException {
        return new Mount(
                FilePath.of(path),
                DirectoryBackend.open(
                        Files.createDirectory(place.resolve(directory)), 1, System::nanoTime, new Random()));
    }

    @AfterEach
    void close() {
        rooted.close();
        table.close();
    }

    @Override
    protected Backend backend() {
        return rooted;
    }

    private List<String> names(String path) {
        return table.list(FilePath.of(path)).join().stream()
                .map(Entry::name)
                .sorted()
                .toList();
    }

    @Test
    void shouldShowDirectoriesAboveMountsWhenTheyAreListed() {
        assertThat(names("/")).containsExactly("data");
        assertThat(names("/data")).containsExactly("a", "b");
        assertThat(names("/data/a")).isEmpty();
        assertThat(table.stat(FilePath.of("/data/a")).join().name()).isEqualTo("a");
        Directory above = table.directory(FilePath.of("/data")).join();
        assertThat(above.self().name()).isEqualTo("data");
        assertThat(above.entries()).extracting(Entry::name).containsExactlyInAnyOrder("a", "b");
        assertThat(table.directory(FilePath.of("/data/a")).join().self().name()).isEqualTo("a");
        assertFails(
                Code.NOT_FOUND,
                () -> table.directory(FilePath.of("/data/a/none")).join());
    }

    @Test
    void shouldTellWhereLinksLeadWithinTheMount() throws IOException {
        Files.createDirectories(place.resolve("a/d"));
        Files.createSymbolicLink(place.resolve("a/link"), Path.of("d"));

        assertThat(table.real(FilePath.of("/data/a/link/new")).join()).isEqualTo(FilePath.of("/data/a/d/new"));
        assertThat(table.real(FilePath.of("/data/a")).join()).isEqualTo(FilePath.of("/data/a"));
        assertThat(table.real(FilePath.of("/data")).join()).isEqualTo(FilePath.of("/data"));
    }

    @Test
    void shouldRefuseChangesWhenNoMountHasThePath() {
        FilePath above = FilePath.of("/data/new");

        assertFails(Code.DENIED, () -> table.makeDirectory(above).join());
        assertFails(Code.DENIED, () -> table.write(WriteRequest.replace(above)).join());
        assertFails(
                Code.DENIED, () -> table.removeDirectory(FilePath.of("/data/a")).join());
        assertFails(Code.NOT_FOUND, () -> table.stat(FilePath.of("/none")).join());
        assertFails(
                Code.UNSUPPORTED,
                () -> table.rename(FilePath.of("/data/a/x"), FilePath.of("/data/b/x"))
                        .join());
    }

    private static void assertTells(String words, CompletableFuture<?> failed) {
        assertThatThrownBy(failed::join).cause().hasMessageStartingWith(words);
    }

    @Test
    void shouldNamePathsAsTheyWereAskedForWhenAMountFails() throws IOException {
        FilePath none = FilePath.of("/data/a/none");
        Files.createDirectory(place.resolve("a/d"));
        Files.createFile(place.resolve("a/f"));

        assertTells("/data/a/none: No such", table.stat(none));
        assertTells("/data/a/none: No such", table.list(none));
        assertTells("/data/a/none: No such", table.read(none, List.of()));
        assertTells("/data/a/none: No such", table.deleteFile(none));
        assertTells("/data/a/none: No such", table.rename(none, FilePath.of("/data/a/other")));
        assertTells("/data/a/d: ", table.rename(FilePath.of("/data/a/f"), FilePath.of("/data/a/d")));
        assertTells("/data/a/none/f: No such", table.write(WriteRequest.replace(none.child("f"))));
    }

    @Test
    void shouldNamePathsAsTheyWereAskedForWhenATransferFails() throws IOException {
        // given
        Files.writeString(place.resolve("a/f"), "some");
        Source source = table.read(FilePath.of("/data/a/f"), List.of(new ByteRange(0, 4)))
                .join();
        Sink sink =
                table.write(WriteRequest.replace(FilePath.of("/data/a/new"))).join();

        // when
        Files.writeString(place.resolve("a/f"), "so");
        Files.createDirectory(place.resolve("a/new"));

        // then
        assertTells("/data/a/f: ", source.next().thenCompose(block -> {
            block.ifPresent(each -> each.bytes().release());
            return source.next();
        }));
        assertTells("/data/a/new: ", sink.commit(bytes -> {}));
        source.close();
    }

    @Test
    void shouldRefuseWhenTwoMountsHaveOnePath() throws IOException {
        Mount one = mount("/x", "x");
        assertThatThrownBy(() -> new MountTable(List.of(one, one), Instant.EPOCH))
                .isInstanceOf(IllegalArgumentException.class);
        one.backend().close();
    }
}
