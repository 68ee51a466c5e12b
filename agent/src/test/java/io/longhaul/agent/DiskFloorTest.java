package io.longhaul.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskFloorTest {
    private static final long MIB = 1024 * 1024;

    @Test
    void shouldLeaveRoomWhenFileSystemIsSmall() {
        assertThat(DiskFloor.ofTotal(64 * MIB)).isLessThan(4 * MIB).isPositive();
        assertThat(DiskFloor.ofTotal(16 * MIB)).isLessThan(MIB);
    }

    @Test
    void shouldKeepSixtyFourMebibytesWhenFileSystemIsLarge() {
        assertThat(DiskFloor.ofTotal(1L << 40)).isEqualTo(64 * MIB);
        assertThat(DiskFloor.ofTotal(Long.MAX_VALUE)).isEqualTo(64 * MIB);
    }

    @Test
    void shouldTakeWhatWasAskedForWhenItIsLess(@TempDir Path directory) {
        assertThat(DiskFloor.of(OptionalLong.of(0), directory)).isZero();
    }

    @Test
    void shouldTakeTheSizeOfTheFileSystemWhenDirectoryIsStillToBeMade(@TempDir Path directory) throws Exception {
        long total = Files.getFileStore(directory).getTotalSpace();

        assertThat(DiskFloor.of(OptionalLong.empty(), directory.resolve("a/b"))).isEqualTo(DiskFloor.ofTotal(total));
    }

    @Test
    void shouldSuitAnyFileSystemWhenConfigurationSaysNothing() {
        AgentConfig config = AgentConfig.of("a", Path.of("/data"), "127.0.0.1:1");

        assertThat(config.floorBytes()).isEmpty();
        assertThat(config.withFloor(5).floorBytes()).hasValue(5);
        assertThat(config.withSpoolQuota(7).spoolQuotaBytes()).isEqualTo(7);
    }
}
