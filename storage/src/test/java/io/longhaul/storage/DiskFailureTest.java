package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

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
}
