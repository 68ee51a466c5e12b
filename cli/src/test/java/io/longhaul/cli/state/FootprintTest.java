package io.longhaul.cli.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FootprintTest {
    private final Disk disk = Disk.real();

    @TempDir
    private Path home;

    @Test
    void shouldRemoveDirectoryAndMadeParentsWhenItWasMissing() throws IOException {
        // given
        Path data = home.resolve("a/b/data");
        Footprint footprint = Footprint.of(data);
        Files.createDirectories(data.resolve("spool"));
        Files.writeString(data.resolve("spool/segment-0"), "x");

        // when
        footprint.undo(disk);

        // then
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void shouldEmptyDirectoryWhenItWasThereAndEmpty() throws IOException {
        // given
        Footprint footprint = Footprint.of(home);
        Files.writeString(home.resolve("VERSION"), "x");

        // when
        footprint.undo(disk);

        // then
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void shouldTouchNothingWhenSomethingWasThere() throws IOException {
        // given
        Files.writeString(home.resolve("old"), "x");
        Footprint footprint = Footprint.of(home);
        Files.writeString(home.resolve("new"), "x");

        // when
        footprint.undo(disk);

        // then
        assertThat(home).isDirectoryContaining("glob:**old").isDirectoryContaining("glob:**new");
    }

    @Test
    void shouldLeaveParentWhenAnotherProcessUsesIt() throws IOException {
        // given
        Footprint footprint = Footprint.of(home.resolve("a/data"));
        Files.createDirectories(home.resolve("a/data"));
        Files.createDirectories(home.resolve("a/other"));

        // when
        footprint.undo(disk);

        // then
        assertThat(home.resolve("a")).isDirectoryContaining("glob:**other");
        assertThat(home.resolve("a/data")).doesNotExist();
    }

    @Test
    void shouldRemoveOnlyReservedChildWhenTargetHoldsFiles() throws IOException {
        // given
        Files.writeString(home.resolve("mine"), "x");
        Footprint footprint = Footprint.of(home);
        Files.createDirectories(home.resolve(".longhaul/x"));

        // when
        footprint.undoChild(disk, ".longhaul", false);

        // then
        assertThat(home).isDirectoryContaining("glob:**mine");
        assertThat(home.resolve(".longhaul")).doesNotExist();
    }

    @Test
    void shouldRemoveTargetWhenItWasMadeForNothing() throws IOException {
        // given
        Footprint footprint = Footprint.of(home.resolve("x/into"));
        Files.createDirectories(home.resolve("x/into/.longhaul"));

        // when
        footprint.undoChild(disk, ".longhaul", false);

        // then
        assertThat(home).isEmptyDirectory();
    }
}
