package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every disk does. */
abstract class DiskContract {
    @TempDir
    Path temporary;

    Path root;
    Disk disk;

    abstract Disk create(Path root, Path scratch);

    @BeforeEach
    void createDisk() throws IOException {
        root = Files.createDirectories(temporary.resolve("root")).toRealPath();
        disk = create(root, temporary.resolve("scratch"));
    }

    @Test
    void shouldReadWhatWasWrittenWhenPositionsLieApart() {
        // given
        Path path = root.resolve("file");
        try (DiskFile file = disk.open(path)) {
            // when
            file.write(bytes("end"), 10_000);
            file.write(bytes("start"), 0);
            file.force();

            // then
            assertThat(text(file, 0, 5)).isEqualTo("start");
            assertThat(text(file, 10_000, 3)).isEqualTo("end");
            assertThat(file.length()).isEqualTo(10_003);
            assertThat(file.read(ByteBuffer.allocate(10), 9_999)).isEqualTo(4);
            assertThat(file.read(ByteBuffer.allocate(10), 20_000)).isZero();
        }
    }

    @Test
    void shouldReadWhatWasWrittenDirectlyWhenBothWaysMix() {
        // given
        byte[] content = new byte[3 * 1024 * 1024 + 17];
        new Random(1).nextBytes(content);
        int half = content.length / 2;
        try (DiskFile file = disk.open(root.resolve("file"))) {
            // when
            file.write(ByteBuffer.wrap(content, half, content.length - half), half);
            file.writeDirect(ByteBuffer.wrap(content, 0, 1_500_000), 0);
            file.writeDirect(ByteBuffer.wrap(content, 1024 * 1024, 2 * 1024 * 1024), 1024 * 1024);
            file.force();

            // then
            ByteBuffer found = ByteBuffer.allocate(content.length);
            assertThat(file.length()).isEqualTo(content.length);
            assertThat(file.read(found, 0)).isEqualTo(content.length);
            assertThat(found.array()).isEqualTo(content);
        }
    }

    @Test
    void shouldChangeLengthBothWays() {
        try (DiskFile file = disk.open(root.resolve("file"))) {
            // given
            file.write(bytes("0123456789"), 0);

            // when
            file.setLength(4);
            file.setLength(8);

            // then
            assertThat(file.length()).isEqualTo(8);
            assertThat(text(file, 0, 8)).isEqualTo("0123\0\0\0\0");
        }
    }

    @Test
    void shouldCreateDirectoriesWhenParentsAreMissingAndAgain() {
        // given
        Path deep = root.resolve("a/b/c");

        // when
        disk.createDirectories(deep);
        disk.createDirectories(deep);

        // then
        assertThat(deep).isDirectory();
    }

    @Test
    void shouldReplaceWhenRenamedOntoAFile() throws IOException {
        // given
        write("from", "new");
        write("to", "old");

        // when
        disk.rename(root.resolve("from"), root.resolve("to"));
        disk.syncDirectory(root);

        // then
        assertThat(root.resolve("to")).hasContent("new");
        assertThat(root.resolve("from")).doesNotExist();
    }

    @Test
    void shouldRefuseToOpenLinksPipesAndDirectories() {
        // given
        write("file", "x");
        disk.createSymbolicLink(root.resolve("link"), "file");
        disk.createDirectory(root.resolve("directory"));

        // when, then
        for (String name : new String[] {"link", "directory"}) {
            assertThatThrownBy(() -> disk.open(root.resolve(name)))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining(root.resolve(name).toString());
            assertThatThrownBy(() -> disk.openForReading(root.resolve(name)))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining(root.resolve(name).toString());
        }
    }

    @Test
    void shouldCreateAFileOnlyWhenItsNameIsFree() {
        // given
        write("file", "x");
        disk.createSymbolicLink(root.resolve("link"), "file");
        disk.createSymbolicLink(root.resolve("dangling"), "missing");
        disk.createDirectory(root.resolve("directory"));

        // when
        try (DiskFile created = disk.create(root.resolve("new"))) {
            created.write(bytes("new"), 0);
            assertThat(text(created, 0, 3)).isEqualTo("new");
        }

        // then
        assertThat(root.resolve("new")).hasContent("new");
        for (String name : new String[] {"file", "link", "dangling", "directory"}) {
            assertThatThrownBy(() -> disk.create(root.resolve(name)))
                    .isInstanceOf(PathRefusedException.class)
                    .hasMessageContaining(root.resolve(name).toString());
        }
        assertThat(root.resolve("file")).hasContent("x");
        assertThat(root.resolve("missing")).doesNotExist();
    }

    @Test
    void shouldNameThePathWhenAFileIsMissing() {
        // given
        Path missing = root.resolve("missing");

        // when, then
        assertThatThrownBy(() -> disk.openForReading(missing))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.code()).isEqualTo(StorageException.Code.IO))
                .hasMessageContaining(missing.toString());
        disk.delete(missing);
        disk.deleteTree(missing);
    }

    @Test
    void shouldRemoveATreeWithoutFollowingLinks() throws IOException {
        // given
        disk.createDirectories(root.resolve("tree/inner"));
        disk.createDirectory(root.resolve("outside"));
        write("outside/kept", "kept");
        write("tree/inner/file", "x");
        disk.createSymbolicLink(root.resolve("tree/link"), "../outside");
        disk.setAttributes(root.resolve("tree/inner"), 0500, 0);

        // when
        disk.deleteTree(root.resolve("tree"));

        // then
        assertThat(root.resolve("tree")).doesNotExist();
        assertThat(root.resolve("outside/kept")).hasContent("kept");
    }

    @Test
    void shouldSetModeAndTimeToTheNanosecond() throws IOException {
        // given
        write("file", "x");
        Path file = root.resolve("file");

        // when
        disk.setAttributes(file, 04751, 1_234_567_890_123_456_789L);

        // then
        assertThat((int) Files.getAttribute(file, "unix:mode") & 07777).isEqualTo(04751);
        assertThat(Files.getLastModifiedTime(file))
                .isEqualTo(FileTime.from(1_234_567_890_123_456_789L, TimeUnit.NANOSECONDS));
    }

    @Test
    void shouldSetAttributesOfALinkAndNotOfItsTarget() throws IOException {
        // given
        write("file", "x");
        disk.setAttributes(root.resolve("file"), 0600, 5_000_000_000L);
        disk.createSymbolicLink(root.resolve("link"), "file");

        // when
        disk.setAttributes(root.resolve("link"), 0777, 7_000_000_000L);

        // then
        assertThat(Files.getLastModifiedTime(root.resolve("file")).toMillis()).isEqualTo(5_000);
        assertThat(Files.getLastModifiedTime(root.resolve("link"), LinkOption.NOFOLLOW_LINKS)
                        .toMillis())
                .isEqualTo(7_000);
        assertThat((int) Files.getAttribute(root.resolve("file"), "unix:mode") & 07777)
                .isEqualTo(0600);
    }

    @Test
    void shouldShareBytesWhenLinked() throws IOException {
        // given
        write("file", "x");

        // when
        disk.createLink(root.resolve("second"), root.resolve("file"));
        write("file", "y");

        // then
        assertThat(root.resolve("second")).hasContent("y");
    }

    @Test
    void shouldKeepWorkingWhenAThreadIsInterrupted() {
        try (DiskFile file = disk.open(root.resolve("file"))) {
            // given
            Thread.currentThread().interrupt();

            // when
            file.write(bytes("written"), 0);
            file.force();
            disk.syncDirectory(root);

            // then
            assertThat(Thread.interrupted()).isTrue();
            assertThat(text(file, 0, 7)).isEqualTo("written");
        }
    }

    @Test
    void shouldTellSpaceOfAPathThatDoesNotExistYet() {
        assertThat(disk.usableSpace(root.resolve("not/there"))).isPositive();
    }

    void write(String name, String content) {
        try (DiskFile file = disk.open(root.resolve(name))) {
            file.write(bytes(content), 0);
        }
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(DiskFile file, long position, int length) {
        ByteBuffer into = ByteBuffer.allocate(length);
        assertThat(file.read(into, position)).isEqualTo(length);
        return new String(into.array(), StandardCharsets.UTF_8);
    }
}
