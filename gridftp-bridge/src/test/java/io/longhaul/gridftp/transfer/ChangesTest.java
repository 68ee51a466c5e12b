package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.content.ContentStore;
import io.longhaul.gridftp.post.FakeScheduler;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.storage.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChangesTest {
    private static final FilePath FILE = FilePath.of("/d/f");
    private static final FilePath OTHER = FilePath.of("/e/g");

    @TempDir
    private Path directory;

    private final FakeScheduler time = new FakeScheduler();
    private Changes changes;
    private long seed;

    @BeforeEach
    void open() {
        FakeProcess process = new FakeProcess(time);
        ContentStore store = ContentStore.open(directory, Disk.real(), TwoEnds.LIMITS, time.clock(), 1);
        changes = Changes.open(
                new World(store, process, process, time::nanoTime, time.clock(), new Random(++seed)), Disk.real());
    }

    private void change(FilePath path) {
        CompletableFuture<String> done = changes.after(List.of(path), CompletableFuture.completedFuture("done"));
        assertThat(time.runUntil(done::isDone, Duration.ofSeconds(1))).isTrue();
    }

    @Test
    void shouldTellAPathApartAfterEachChange() {
        // given
        String first = changes.of(FILE);
        String other = changes.of(OTHER);

        // when
        change(FILE);

        // then
        String second = changes.of(FILE);
        assertThat(second).isNotEqualTo(first);
        assertThat(changes.of(OTHER)).isEqualTo(other);

        // when
        change(FILE);

        // then
        assertThat(changes.of(FILE)).isNotIn(first, second);
    }

    @Test
    void shouldTellEverythingBelowAPathApartWhenThatIsChanged() {
        // given
        String before = changes.of(FILE);

        // when
        change(FILE.parent());

        // then
        assertThat(changes.of(FILE)).isNotEqualTo(before);
    }

    @Test
    void shouldRememberChangesOfAnEarlierProcess() {
        // given
        change(FILE);
        String before = changes.of(FILE);
        changes.close();

        // when
        open();

        // then
        assertThat(changes.of(FILE)).isEqualTo(before);
    }

    @Test
    void shouldTrustNothingWhenItsFileIsCutOff() throws IOException {
        // given
        String before = changes.of(FILE);
        changes.close();
        Files.write(directory.resolve("changes"), new byte[100]);

        // when
        open();

        // then
        assertThat(changes.of(FILE)).isNotEqualTo(before);
    }

    @Test
    void shouldMarkAPathAlsoWhenTheChangeFailed() {
        // given
        String before = changes.of(FILE);

        // when
        CompletableFuture<String> done =
                changes.after(List.of(FILE), CompletableFuture.failedFuture(new IllegalStateException("away")));
        assertThat(time.runUntil(done::isDone, Duration.ofSeconds(1))).isTrue();

        // then
        assertThat(done).isCompletedExceptionally();
        assertThat(changes.of(FILE)).isNotEqualTo(before);
    }
}
