package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.content.ContentStore;
import io.longhaul.gridftp.post.FakeScheduler;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.storage.Disk;
import io.longhaul.storage.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorldTest {
    private static Code code(Throwable failure) {
        return World.failure(new CompletionException(failure)).code();
    }

    @Test
    void shouldSayThatTryingAgainHelpsWhenThisMachineIsInTrouble() {
        assertThat(code(new StorageException(StorageException.Code.IO, "Input/output error")))
                .isEqualTo(Code.UNAVAILABLE);
        assertThat(code(new IOException("Too many open files"))).isEqualTo(Code.UNAVAILABLE);
        assertThat(code(new OutOfMemoryError("Java heap space"))).isEqualTo(Code.UNAVAILABLE);
    }

    @Test
    void shouldNotTellWhereFilesAreKept(@TempDir Path directory) {
        // given
        FakeScheduler time = new FakeScheduler();
        ContentStore store = ContentStore.open(
                directory, Disk.real(), ContentStore.Limits.DEFAULT, time.clock(), ContentStore.boot());
        World world = new World(store, time, Runnable::run, time::nanoTime, time.clock(), new Random(1));

        // when
        CompletableFuture<Void> failed = world.onDisk(Runnable::run, () -> {
            throw new StorageException(
                    StorageException.Code.NO_SPACE, "no space for " + directory.resolve("f") + ": needed 1 bytes");
        });

        // then
        assertThatThrownBy(failed::join)
                .cause()
                .hasMessage("No space left on device: no space for --data/f: needed 1 bytes");
    }

    @Test
    void shouldSayThatItIsFinalWhenTryingAgainDoesNotHelp() {
        assertThat(code(new StorageException(StorageException.Code.DAMAGED, "a checksum")))
                .isEqualTo(Code.FAILED);
        assertThat(code(new StorageException(StorageException.Code.VERSION, "version 9")))
                .isEqualTo(Code.FAILED);
        assertThat(code(new IllegalStateException("half a thing"))).isEqualTo(Code.FAILED);
    }
}
