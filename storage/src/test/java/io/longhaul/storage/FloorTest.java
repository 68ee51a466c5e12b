package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FloorTest {
    private static final long MIB = 1024 * 1024;

    @Test
    void shouldBeTheLesserOfBytesAndATwentieth() {
        assertThat(Floor.ofTotal(100 * MIB, 64 * MIB)).isEqualTo(5 * MIB);
        assertThat(Floor.ofTotal(1L << 40, 64 * MIB)).isEqualTo(64 * MIB);
        assertThat(Floor.ofTotal(Long.MAX_VALUE, 64 * MIB)).isEqualTo(64 * MIB);
    }

    @Test
    void shouldLookAtTheNearestDirectoryThatIsThere(@TempDir Path directory) throws Exception {
        long total = Files.getFileStore(directory).getTotalSpace();

        assertThat(Floor.on(directory.resolve("not/there"), Long.MAX_VALUE)).isEqualTo(total / 20);
    }
}
