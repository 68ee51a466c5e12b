package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskFailureTest {
    @Test
    void shouldBlameThePathWhenItLiesOnAnotherFileSystem() {
        // given
        AtomicMoveNotSupportedException cause =
                new AtomicMoveNotSupportedException("part", "mount/f", "Invalid cross-device link");

        // when
        StorageException failure = DiskFailure.of("rename part to", Path.of("mount/f"), 0, cause);

        // then
        assertThat(failure)
                .isInstanceOf(PathRefusedException.class)
                .hasMessageContaining("mount/f")
                .hasMessageContaining("Invalid cross-device link");
    }

    @Test
    void shouldSayWhatFailedInWordsWithoutThePath() {
        // then
        assertThat(StorageException.reason(new AccessDeniedException("/x"))).isEqualTo("Permission denied");
        assertThat(StorageException.reason(new FileSystemException("/x", null, "Input/output error")))
                .isEqualTo("Input/output error");
        assertThat(StorageException.reason(new FileSystemLoopException("/x"))).isEqualTo("FileSystemLoopException");
        assertThat(StorageException.reason(new IOException("Is a directory"))).isEqualTo("Is a directory");
    }

    @Test
    void shouldPointToInodesOnlyWhenThereAreBytes(@TempDir Path directory) {
        // given
        FileSystemException cause = new FileSystemException("f", null, "No space left on device");

        // when
        StorageException ofInodes = DiskFailure.of("open", directory.resolve("f"), 0, cause);
        StorageException ofBytes = DiskFailure.of("write", directory.resolve("f"), Long.MAX_VALUE, cause);

        // then
        assertThat(ofInodes.code()).isEqualTo(StorageException.Code.NO_SPACE);
        assertThat(ofInodes).hasMessageContaining("inodes");
        assertThat(ofBytes).hasMessageContaining("needed").hasMessageNotContaining("inodes");
    }
}
