package io.longhaul.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Floor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskFloorTest {
    private static final long MIB = 1024 * 1024;

    @Test
    void shouldLeaveRoomWhenFileSystemIsSmall() {
        assertThat(Floor.ofTotal(64 * MIB, DiskFloor.MOST_BYTES))
                .isLessThan(4 * MIB)
                .isPositive();
        assertThat(Floor.ofTotal(16 * MIB, DiskFloor.MOST_BYTES)).isLessThan(MIB);
    }

    @Test
    void shouldKeepSixtyFourMebibytesWhenFileSystemIsLarge() {
        assertThat(Floor.ofTotal(1L << 40, DiskFloor.MOST_BYTES)).isEqualTo(64 * MIB);
        assertThat(Floor.ofTotal(Long.MAX_VALUE, DiskFloor.MOST_BYTES)).isEqualTo(64 * MIB);
    }

    @Test
    void shouldTakeWhatWasAskedForWhenItIsLess(@TempDir Path directory) {
        assertThat(DiskFloor.of(OptionalLong.of(0), directory)).isZero();
    }

    @Test
    void shouldTakeTheSizeOfTheFileSystemWhenDirectoryIsStillToBeMade(@TempDir Path directory) throws Exception {
        long total = Files.getFileStore(directory).getTotalSpace();

        assertThat(DiskFloor.of(OptionalLong.empty(), directory.resolve("a/b")))
                .isEqualTo(Floor.ofTotal(total, DiskFloor.MOST_BYTES));
    }

    @Test
    void shouldSuitAnyFileSystemWhenConfigurationSaysNothing() {
        AgentConfig config = AgentConfig.of("a", Path.of("/data"), "127.0.0.1:1");

        assertThat(config.floorBytes()).isEmpty();
        assertThat(config.withFloor(5).floorBytes()).hasValue(5);
        assertThat(config.withSpoolQuota(7).spoolQuotaBytes()).isEqualTo(7);
    }
}
