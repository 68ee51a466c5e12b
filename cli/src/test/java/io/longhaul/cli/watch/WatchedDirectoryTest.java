package io.longhaul.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WatchedDirectoryTest {
    @TempDir
    private Path directory;

    private List<String> names(WatchedDirectory watched) {
        return watched.scan().stream().map(WatchedFile::name).toList();
    }

    @Test
    void shouldFindFileWhenTwoScansAgree() throws IOException {
        // given
        WatchedDirectory watched = new WatchedDirectory(directory);
        Files.createDirectories(directory.resolve("sub"));
        Files.writeString(directory.resolve("b"), "1");
        Files.writeString(directory.resolve("sub/a b"), "2");

        // then
        assertThat(names(watched)).isEmpty();
        assertThat(names(watched)).containsExactly("b", "sub/a b");
    }

    @Test
    void shouldFindFilesWhenTheDirectoryIsALink() throws IOException {
        // given
        Files.createDirectories(directory.resolve("there/sub"));
        Files.writeString(directory.resolve("there/sub/f"), "1");
        WatchedDirectory watched =
                new WatchedDirectory(Files.createSymbolicLink(directory.resolve("link"), directory.resolve("there")));

        // when
        watched.scan();

        // then
        WatchedFile found = watched.scan().get(0);
        assertThat(found.name()).isEqualTo("sub/f");
        assertThat(watched.once(found.path().toString(), found.inode(), 1, found.modifiedNanos()))
                .contains(found);
    }

    @Test
    void shouldKnowAFileByTheNumberThatItsFileSystemHasForIt() throws IOException {
        // given
        Path file = Files.writeString(directory.resolve("f"), "1");
        WatchedDirectory watched = new WatchedDirectory(directory);
        watched.scan();

        // then
        assertThat(watched.scan())
                .extracting(WatchedFile::inode)
                .containsExactly(String.valueOf(Files.getAttribute(file, "unix:ino")));
    }

    @Test
    void shouldWaitWhenFileStillChanges() throws IOException {
        // given
        WatchedDirectory watched = new WatchedDirectory(directory);
        Path file = Files.writeString(directory.resolve("f"), "1");
        watched.scan();

        // when
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));

        // then
        assertThat(names(watched)).isEmpty();
        assertThat(names(watched)).containsExactly("f");
    }

    @Test
    void shouldLeaveAloneWhenNameSaysWorkInProgress() throws IOException {
        // given
        WatchedDirectory watched = new WatchedDirectory(directory);
        for (String name : List.of(".hidden", "x.part", "x.tmp", ".dir/x", "fine")) {
            Files.createDirectories(directory.resolve(name).getParent());
            Files.writeString(directory.resolve(name), "1");
        }
        Files.createSymbolicLink(directory.resolve("link"), directory.resolve("fine"));

        // when
        watched.scan();

        // then
        assertThat(names(watched)).containsExactly("fine");
    }

    @Test
    void shouldTellWhenDirectoryIsMissing() {
        // given
        WatchedDirectory watched = new WatchedDirectory(directory.resolve("none"));

        // then
        assertThatThrownBy(watched::scan).hasMessageContaining("none: cannot be scanned");
    }

    @Test
    void shouldSayWhatIsThereWhenItIsNoDirectory() throws IOException {
        // given
        Path file = Files.createFile(directory.resolve("file"));

        // then
        assertThatThrownBy(() -> new WatchedDirectory(file).scan())
                .hasRootCauseMessage("expected a directory, found something else");
        assertThatThrownBy(() -> new WatchedDirectory(directory.resolve("none")).scan())
                .hasRootCauseMessage("expected a directory, found none");
    }
}
