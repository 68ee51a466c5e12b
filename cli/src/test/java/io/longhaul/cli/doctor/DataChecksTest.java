package io.longhaul.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.longhaul.storage.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataChecksTest {

    @Test
    void shouldTellOfTheDiskWhenADirectoryIsClosedToThisUser(@TempDir Path home) throws IOException {
        // given
        Path closed = Files.createDirectory(home.resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isExecutable(closed), "runs as root, for whom PlainUserIT does it");

        // when / then
        assertThat(new DataChecks(closed.resolve("data"), Disk.real(), System::nanoTime).all())
                .extracting(Finding::check, Finding::state)
                .contains(tuple("disk-write", Finding.State.FAILED));
    }
}
