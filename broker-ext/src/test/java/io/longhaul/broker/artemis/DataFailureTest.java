package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFailureTest {
    @Test
    void shouldBeAWantOfSpaceWhenTheDiskIsFull(@TempDir Path directory) {
        // given
        Path data = directory.resolve("not/there");
        IOException cause = new FileSystemException(data + "/lock", null, "No space left on device");

        // when
        ServerException failure = DataFailure.of(data, "cannot be used", cause);

        // then
        assertThat(failure.kind()).isEqualTo(ServerException.Kind.NO_SPACE);
        assertThat(failure)
                .hasMessageStartingWith(
                        "data " + data + ": cannot be used: " + data + "/lock: No space left on device, free ")
                .hasMessageContaining("inodes");
    }

    @Test
    void shouldNameNoClassOfThisCode() {
        assertThat(DataFailure.of(Path.of("/data"), "cannot be used", new NoSuchFileException("/data/x")))
                .hasMessage("data /data: cannot be used: /data/x: No such file or directory");
        assertThat(DataFailure.of(Path.of("/data"), "cannot be used", new FileAlreadyExistsException("/data")))
                .hasMessage("data /data: cannot be used: /data: File exists");
        assertThat(DataFailure.of(Path.of("/data"), "cannot be used", new IOException("/data/pair: expected lines")))
                .hasMessage("data /data: cannot be used: /data/pair: expected lines");
    }

    @Test
    void shouldSayInWordsWhatIsForbidden() {
        ServerException failure =
                DataFailure.of(Path.of("/data"), "cannot be locked", new AccessDeniedException("/data/lock"));

        assertThat(failure.kind()).isEqualTo(ServerException.Kind.BAD_DATA);
        assertThat(failure).hasMessage("data /data: cannot be locked: /data/lock: Permission denied");
    }
}
