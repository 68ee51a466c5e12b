package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said where permissions forbid what is asked for; root may do it all, and PlainUserIT runs this without its rights. */
class ForbiddenPathTest {
    @TempDir
    Path temporary;

    private final Disk disk = Disk.real();
    private Path closed;

    @BeforeEach
    void close() throws IOException {
        closed = Files.createDirectory(temporary.resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r--------"));
        assumeFalse(Files.isExecutable(closed), "runs as root, for whom PlainUserIT does it");
    }

    @AfterEach
    void open() throws IOException {
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void shouldSayOnceWhatIsForbiddenAndWhere() {
        Path below = closed.resolve("below");

        assertThatThrownBy(() -> disk.createDirectories(below))
                .isInstanceOf(PathRefusedException.class)
                .hasMessage("create directory " + below + ": Permission denied");
        assertThatThrownBy(() -> disk.open(below))
                .isInstanceOf(PathRefusedException.class)
                .hasMessage("open " + below + ": Permission denied");
        assertThatThrownBy(() -> disk.setAttributes(below, 0700, 0))
                .isInstanceOf(PathRefusedException.class)
                .hasMessage("set mode and time of " + below + ": Permission denied");
    }
}
