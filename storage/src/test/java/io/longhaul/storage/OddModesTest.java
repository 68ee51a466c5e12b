package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files and directories that forbid their owner this or that. */
class OddModesTest {
    private static final long TIME = 1_234_567_890_123_456_789L;

    @TempDir
    Path temporary;

    private final Disk disk = Disk.real();
    private Path root;

    @BeforeEach
    void findRoot() throws IOException {
        root = temporary.toRealPath();
    }

    private static int mode(Path path) throws IOException {
        return (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 07777;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 0100, 0200, 0311, 0444, 0555, 01777, 06755})
    void shouldSetModeAndTimeWhateverTheModeBeforeForbids(int odd) throws IOException {
        for (Path path : new Path[] {
            Files.writeString(root.resolve("file"), "x"), Files.createDirectory(root.resolve("directory"))
        }) {
            // when
            disk.setAttributes(path, odd, 5_000_000_000L);

            // then
            assertThat(mode(path)).isEqualTo(odd);
            assertThat(Files.getLastModifiedTime(path).toMillis()).isEqualTo(5_000);

            // when
            disk.setAttributes(path, 0751, TIME);

            // then
            assertThat(mode(path)).isEqualTo(0751);
            assertThat(Files.getLastModifiedTime(path)).isEqualTo(FileTime.from(TIME, TimeUnit.NANOSECONDS));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, -750_000_000, -1_000_000_000, -631_148_277_123_456_789L})
    void shouldSetTheWholeSecondWhenTheTimeIsBefore1970(long time) throws IOException {
        Path file = Files.writeString(root.resolve("file"), "x");
        for (Path path : new Path[] {file, Files.createSymbolicLink(root.resolve("link"), file)}) {
            // when
            disk.setAttributes(path, 0600, time);

            // then
            assertThat(Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS))
                    .isEqualTo(FileTime.from(Math.floorDiv(time, 1_000_000_000L), TimeUnit.SECONDS));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 0100, 0200, 0311, 0444, 0555, 0666, 01777})
    void shouldRemoveATreeWhateverItsModesForbid(int odd) throws IOException {
        // given
        Path tree = root.resolve("tree");
        disk.createDirectories(tree.resolve("a/b/c"));
        Files.writeString(tree.resolve("a/b/file"), "x");
        Files.writeString(tree.resolve("a/file"), "x");
        Files.createSymbolicLink(tree.resolve("a/b/link"), Path.of("../../../outside"));
        Path outside = Files.createDirectory(root.resolve("outside"));
        Files.writeString(outside.resolve("kept"), "kept");
        for (String each : new String[] {"a/b/file", "a/file", "a/b/c", "a/b", "a", ""}) {
            disk.setAttributes(tree.resolve(each), odd, TIME);
        }
        disk.setAttributes(outside, 0555, TIME);

        // when
        disk.deleteTree(tree);

        // then
        assertThat(Files.exists(tree, LinkOption.NOFOLLOW_LINKS)).isFalse();
        assertThat(outside.resolve("kept")).hasContent("kept");
        assertThat(mode(outside)).isEqualTo(0555);
        disk.setAttributes(outside, 0755, TIME);
    }

    @Test
    void shouldMakePrivateNothingThatALinkLeadsTo() throws IOException {
        // given
        Path secret = Files.writeString(root.resolve("secret"), "x");
        disk.setAttributes(secret, 0, TIME);
        Path link = Files.createSymbolicLink(root.resolve("link"), Path.of("secret"));

        // when, then
        assertThatThrownBy(() -> Attributes.makePrivate(link)).isInstanceOf(IOException.class);
        disk.setAttributes(link, 0755, 7_000_000_000L);
        assertThat(mode(secret)).isZero();
        assertThat(Files.getLastModifiedTime(secret)).isEqualTo(FileTime.from(TIME, TimeUnit.NANOSECONDS));
    }
}
