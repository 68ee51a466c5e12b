package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KnownFilesTest {
    private static final int KEEPS = 3;

    @TempDir
    private Path directory;

    private Path file(int number) {
        return directory.resolve("data-" + number + ".amq");
    }

    private void make(int... numbers) throws IOException {
        for (int number : numbers) {
            Files.write(file(number), new byte[10]);
        }
    }

    private KnownFiles begun() throws IOException {
        KnownFiles known = new KnownFiles(directory, ".amq", KEEPS);
        known.begin();
        return known;
    }

    @Test
    void shouldNameEachFileThatIsGoneWhenThereWereNoMoreThanAreKept() throws IOException {
        // given
        make(1, 2, 7);
        begun();

        // when then
        assertThat(KnownFiles.gone(directory)).isEmpty();
        Files.delete(file(2));
        assertThat(KnownFiles.gone(directory)).containsExactly(file(2) + ": expected a file, found none");
    }

    @Test
    void shouldNameAFileThatWasMadeAndOpenedLater() throws IOException {
        // given
        KnownFiles known = begun();
        make(1, 2);

        // when
        known.opened("data-1.amq");
        known.opened("data-2.amq.cmp");

        // then
        Files.delete(file(2));
        assertThat(KnownFiles.gone(directory)).isEmpty();
        Files.delete(file(1));
        assertThat(KnownFiles.gone(directory)).containsExactly(file(1) + ": expected a file, found none");
    }

    @Test
    void shouldCountFilesWhenThereWereMoreThanAreKept() throws IOException {
        // given
        make(1, 2, 3);
        KnownFiles known = begun();
        make(4, 5);
        known.opened("data-4.amq");
        known.opened("data-5.amq");

        // when then
        Files.delete(file(1));
        Files.move(file(2), directory.resolve("data-2.amq.cmp"));
        assertThat(KnownFiles.gone(directory)).isEmpty();
        Files.delete(file(4));
        assertThat(KnownFiles.gone(directory)).isEmpty();
        Files.delete(file(5));
        assertThat(KnownFiles.gone(directory)).containsExactly(directory + ": expected at least 3 files, found 2");
    }

    @Test
    void shouldCountAFileThatIsBeingMadeWhenAnotherOneMadeWayForIt() throws IOException {
        // given
        make(1, 2, 3);
        KnownFiles known = begun();
        Files.write(directory.resolve("data-4.amq.tmp"), new byte[10]);

        // when
        known.opened("data-4.amq.tmp");
        Files.delete(file(1));

        // then
        assertThat(KnownFiles.gone(directory)).isEmpty();
        Files.delete(file(2));
        assertThat(KnownFiles.gone(directory)).containsExactly(directory + ": expected at least 3 files, found 2");
    }

    @Test
    void shouldNotMissAFileThatWasNeverFinished() throws IOException {
        // given
        KnownFiles known = begun();
        Path unfinished = Files.write(directory.resolve("data-1.amq.tmp"), new byte[10]);

        // when
        known.opened("data-1.amq.tmp");

        // then
        assertThat(KnownFiles.gone(directory)).isEmpty();
        Files.delete(unfinished);
        assertThat(KnownFiles.gone(directory)).containsExactly(file(1) + ": expected a file, found none");
    }

    @Test
    void shouldFindNothingWhereAFileWasPutAsideOrACompactionHasReplacedFiles() throws IOException {
        // given
        make(1, 2);
        begun();
        Files.createDirectory(directory.resolve("attic"));
        Files.move(file(1), directory.resolve("attic/data-1.amq"));

        // when then
        assertThat(KnownFiles.gone(directory)).isEmpty();
        Files.delete(file(2));
        Files.write(directory.resolve("rename.ctr"), new byte[0]);
        assertThat(KnownFiles.gone(directory)).isEmpty();
    }

    @Test
    void shouldKnowNothingBeforeAJournalIsLoadedOrOnceItIsForgotten() throws IOException {
        // given
        make(1);

        // when
        new KnownFiles(directory, ".amq", KEEPS).opened("data-1.amq");

        // then
        Files.delete(file(1));
        assertThat(KnownFiles.gone(directory)).isEmpty();
        assertThat(KnownFiles.gone(directory.resolve("missing"))).isEmpty();

        // given
        make(1);
        begun();

        // when
        KnownFiles.forget(directory);

        // then
        Files.delete(file(1));
        assertThat(KnownFiles.gone(directory)).isEmpty();
    }

    @Test
    void shouldSayWhichNoteIsDamaged() throws IOException {
        // given
        make(1);
        begun();
        Path note = directory.resolve("files");
        Files.writeString(note, Files.readString(note).replace("data-1", "data-2"));

        // when then
        assertThatThrownBy(() -> KnownFiles.gone(directory))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(note + ": expected crc ");
    }
}
