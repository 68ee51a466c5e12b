package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RealDiskTest extends DiskContract {
    @TempDir
    Path directory;

    @Override
    Disk create(Path root, Path scratch) {
        return Disk.real();
    }

    private static String modeOf(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void shouldMakeAPrivateDirectoryForItsOwnerAlone() throws IOException {
        // when
        Disk.real().createPrivateDirectory(directory.resolve("parent/private"));

        // then
        assertThat(modeOf(directory.resolve("parent/private"))).isEqualTo("rwx------");
        assertThat(modeOf(directory.resolve("parent"))).matches("rwx.-..-.");
    }

    @Test
    void shouldSayThatNothingCanBeMadeWhereTheKernelKeepsItsOwnFiles() {
        assertThatThrownBy(() -> Disk.real().createPrivateDirectory(Path.of("/proc/longhaul/data")))
                .isInstanceOf(StorageException.class)
                .hasMessage(
                        "create directory /proc/longhaul: expected a file system that takes directories, found one that"
                                + " takes none, or the one above gone");
    }

    @Test
    void shouldLeaveTheModeOfADirectoryThatIsThere() throws IOException {
        // given
        Path there = Files.createDirectory(directory.resolve("there"));
        Files.setPosixFilePermissions(there, PosixFilePermissions.fromString("rwxr-x---"));

        // when
        Disk.real().createPrivateDirectory(there);

        // then
        assertThat(modeOf(there)).isEqualTo("rwxr-x---");
    }
}
