package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectDevicesTest {
    @TempDir
    Path directory;

    @Test
    void shouldNameDevicesByBothPartsOfTheirNumber() {
        assertThat(DirectDevices.name(0xfe00)).isEqualTo("254:0");
        assertThat(DirectDevices.name(0x0830_0412)).isEqualTo("4:33554");
        assertThat(DirectDevices.name(0x1234_5000_0000_0801L)).isEqualTo("305418248:1");
    }

    @Test
    void shouldReadWhatADiskWantsAtOnce() throws IOException {
        // given
        Path disk = disk("4194304\n");

        // when
        long optimal = DirectDevices.optimalBytes(disk);

        // then
        assertThat(optimal).isEqualTo(4 * 1024 * 1024);
    }

    @Test
    void shouldReadThatOfTheDiskWhenItIsAPartition() throws IOException {
        // given
        Path partition = Files.createDirectory(disk("0\n").resolve("disk1"));
        Path name = Files.createSymbolicLink(directory.resolve("8:1"), partition);

        // when
        long optimal = DirectDevices.optimalBytes(name);

        // then
        assertThat(optimal).isZero();
    }

    @Test
    void shouldNotAllowWhatLiesOnNoDisk() {
        assertThat(DirectDevices.allow(Path.of("/proc/self/status"))).isFalse();
        assertThat(DirectDevices.allow(directory.resolve("missing"))).isFalse();
    }

    private Path disk(String optimal) throws IOException {
        Path disk = directory.resolve("disk");
        Files.createDirectories(disk.resolve("queue"));
        Files.writeString(disk.resolve("queue/optimal_io_size"), optimal);
        return disk;
    }
}
