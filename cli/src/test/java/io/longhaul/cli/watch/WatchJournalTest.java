package io.longhaul.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WatchJournalTest {
    @TempDir
    private Path directory;

    private Path path;
    private WatchedFile file;

    @BeforeEach
    void createFile() throws IOException {
        path = directory.resolve("watched.jsonl");
        Path watched = Files.writeString(directory.resolve("a\n\"b\""), "x");
        file = new WatchedFile(watched, "a\n\"b\"", "1", 1, 17);
    }

    private WatchJournal open() {
        return WatchJournal.open(path, Disk.real(), List.of(directory.resolve("disk/in")), 10);
    }

    @Test
    void shouldRememberWhenOpenedAgain() {
        // given
        try (WatchJournal journal = open()) {
            assertThat(journal.contains("t", file)).isFalse();
            journal.add("t", file);
            journal.add("t", file);
        }

        // when
        try (WatchJournal journal = open()) {
            // then
            assertThat(journal.contains("t", file)).isTrue();
        }
        assertThat(path).content().hasLineCount(1);
    }

    @Test
    void shouldTakeForAnotherFileWhenTimeDiffers() {
        // given
        try (WatchJournal journal = open()) {
            journal.add("t", file);

            // then
            assertThat(journal.contains("t", new WatchedFile(file.path(), file.name(), file.inode(), 1, 18)))
                    .isFalse();
        }
    }

    @Test
    void shouldDropLastLineWhenItIsTorn() throws IOException {
        // given
        try (WatchJournal journal = open()) {
            journal.add("t", file);
        }
        Files.writeString(path, "{\"path\":\"/x\",\"ke", StandardOpenOption.APPEND);

        // when
        try (WatchJournal journal = open()) {
            // then
            assertThat(journal.contains("t", file)).isTrue();
            journal.add("t", new WatchedFile(file.path(), file.name(), file.inode(), 1, 18));
        }
        assertThat(path).content().hasLineCount(2);
    }

    @Test
    void shouldHoldOneMarkForEachFileWhenItChangesForEver() throws IOException {
        // given
        try (WatchJournal journal = open()) {
            for (int time = 0; time < 50; time++) {
                journal.add("t", new WatchedFile(file.path(), file.name(), file.inode(), 1, time));
            }

            // then
            assertThat(journal.contains("t", new WatchedFile(file.path(), file.name(), file.inode(), 1, 48)))
                    .isFalse();
            assertThat(Files.readAllLines(path)).hasSizeLessThan(14);
        }
        try (WatchJournal journal = open()) {
            assertThat(journal.contains("t", new WatchedFile(file.path(), file.name(), file.inode(), 1, 49)))
                    .isTrue();
        }
        assertThat(path).content().hasLineCount(1);
    }

    @Test
    void shouldForgetVanishedFilesWhenThereAreManyOfThem() throws IOException {
        // given
        try (WatchJournal journal = open()) {
            journal.add("t", file);

            // when
            for (int i = 0; i < 50; i++) {
                Path gone = directory.resolve("gone-" + i);
                journal.add("t", new WatchedFile(gone, "gone", "2", 1, 1));
            }

            // then
            assertThat(journal.contains("t", file)).isTrue();
            assertThat(Files.readAllLines(path)).hasSizeLessThan(14);
        }
    }

    @Test
    void shouldForgetWhenFileHasVanished() throws IOException {
        // given
        try (WatchJournal journal = open()) {
            journal.add("t", file);
        }
        Files.delete(file.path());

        // when
        open().close();

        // then
        assertThat(path).isEmptyFile();
    }

    @Test
    void shouldRememberWhenAWatchedDirectoryIsAway() throws IOException {
        // given
        Path in = Files.createDirectories(directory.resolve("disk/in"));
        WatchedFile there = new WatchedFile(Files.writeString(in.resolve("a"), "x"), "a", "3", 1, 1);
        try (WatchJournal journal = open()) {
            journal.add("t", there);
        }
        Files.delete(there.path());

        // when
        open().close();
        Files.delete(in);

        // then
        try (WatchJournal journal = open()) {
            assertThat(journal.contains("t", there)).isTrue();
        }
        Files.createDirectory(in);
        Files.writeString(in.resolve("b"), "x");
        try (WatchJournal journal = open()) {
            assertThat(journal.contains("t", there)).isFalse();
        }
    }

    @Test
    void shouldRememberWhenALinkToAWatchedDirectoryLeadsNowhere() throws IOException {
        // given
        Path disk = Files.createDirectories(directory.resolve("elsewhere/in"));
        Files.createSymbolicLink(directory.resolve("disk"), disk.getParent());
        WatchedFile there = new WatchedFile(Files.writeString(disk.resolve("a"), "x"), "a", "3", 1, 1);
        try (WatchJournal journal = open()) {
            journal.add("t", there);
        }

        // when
        Disk.real().deleteTree(disk.getParent());

        // then
        try (WatchJournal journal = open()) {
            assertThat(journal.contains("t", there)).isTrue();
        }
    }
}
