package io.longhaul.gridftp.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.file.DirectoryBackend;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.topic.PublishedFile.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ShelfTest {
    private static final FilePath PATH = FilePath.of("/T/weather/rain.nc");

    @TempDir
    private Path directory;

    private final ManualTime time = new ManualTime();
    private DirectoryBackend store;
    private Shelf shelf;

    @BeforeEach
    void open() {
        World world = new World(time, time::nanoTime, Runnable::run, time);
        store = DirectoryBackend.open(directory, 1, time::nanoTime, new SecureRandom());
        Catalogue catalogue = new Catalogue(time.instant());
        shelf = new Shelf(directory, store, new Records(directory), catalogue, TopicsConfig.defaults(), world);
        shelf.open(List.of());
    }

    @AfterEach
    void close() {
        store.close();
    }

    private PublishedFile file(String id, String transfer) {
        return new PublishedFile(id, PATH, 4, time.instant(), List.of(), transfer, State.WAITING, false);
    }

    @Test
    void shouldPutInItsPlaceWhatWasKilledAfterItsRecord() throws IOException {
        // given
        PublishedFile file = file("1", "");
        Files.writeString(shelf.place(Intake.slot(PATH)), "rain");

        // when
        shelf.open(List.of(file));

        // then
        assertThat(shelf.place(Shelf.stored(file))).hasContent("rain");
        assertThat(shelf.place(Intake.slot(PATH))).doesNotExist();
    }

    @Test
    void shouldNotTakeForAnOlderFileWhatALaterOneBrought() throws IOException {
        // given: one whose bytes went when the network had them, and one without a record
        PublishedFile older = file("1", "0123456789abcdef0123456789abcdef");
        Files.writeString(shelf.place(Intake.slot(PATH)), "snow");

        // when
        shelf.open(List.of(older));

        // then
        assertThat(shelf.place(Shelf.stored(older))).doesNotExist();
        assertThat(shelf.place(Intake.slot(PATH))).doesNotExist();
    }

    @Test
    void shouldKeepWhatIsInItsPlace() throws IOException {
        // given
        PublishedFile file = file("1", "");
        Files.writeString(shelf.place(Shelf.stored(file)), "rain");
        Files.writeString(shelf.place(Intake.slot(PATH)), "snow");

        // when
        shelf.open(List.of(file));

        // then
        assertThat(shelf.place(Shelf.stored(file))).hasContent("rain");
        assertThat(shelf.place(Intake.slot(PATH))).doesNotExist();
    }
}
