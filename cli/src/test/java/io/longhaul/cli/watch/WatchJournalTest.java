package io.longhaul.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
        file = new WatchedFile(watched, "a\n\"b\"", "(ino=1)", 1, 17);
    }

    private WatchJournal open() {
        return WatchJournal.open(path, Disk.real());
    }

    @Test
    void shouldRememberWhenOpenedAgain() {
        // given
        try (WatchJournal journal = open()) {
            assertThat(journal.contains(file)).isFalse();
            journal.add(file);
            journal.add(file);
        }

        // when
        try (WatchJournal journal = open()) {
            // then
            assertThat(journal.contains(file)).isTrue();
        }
        assertThat(path).content().hasLineCount(1);
    }

    @Test
    void shouldTakeForAnotherFileWhenTimeDiffers() {
        // given
        try (WatchJournal journal = open()) {
            journal.add(file);

            // then
            assertThat(journal.contains(new WatchedFile(file.path(), file.name(), file.key(), 1, 18)))
                    .isFalse();
        }
    }

    @Test
    void shouldDropLastLineWhenItIsTorn() throws IOException {
        // given
        try (WatchJournal journal = open()) {
            journal.add(file);
        }
        Files.writeString(path, "{\"path\":\"/x\",\"ke", StandardOpenOption.APPEND);

        // when
        try (WatchJournal journal = open()) {
            // then
            assertThat(journal.contains(file)).isTrue();
            journal.add(new WatchedFile(file.path(), file.name(), file.key(), 1, 18));
        }
        assertThat(path).content().hasLineCount(2);
    }

    @Test
    void shouldForgetWhenFileHasVanished() throws IOException {
        // given
        try (WatchJournal journal = open()) {
            journal.add(file);
        }
        Files.delete(file.path());

        // when
        open().close();

        // then
        assertThat(path).isEmptyFile();
    }
}
