package io.longhaul.gridftp.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class MountsTest {
    private static final String MOUNTS = """
            22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
            23 22 0:21 / /proc rw,nosuid - proc proc rw
            31 22 8:1 /disk/a /srv/data rw,relatime shared:1 - ext4 /dev/sda1 rw
            36 31 8:1 /disk/b /srv/data/of\\040b rw,relatime shared:1 - ext4 /dev/sda1 rw
            37 31 8:1 /disk/c /srv/data/back\\134slash rw,relatime shared:1 - ext4 /dev/sda1 rw
            38 22 8:1 /disk/d /srv/NUL\\000 rw,relatime shared:1 - ext4 /dev/sda1 rw
            cut
            """;

    private static boolean isMountedBetween(String root, String directory) {
        return Mounts.isMountedBetween(MOUNTS, Path.of(root), Path.of(directory));
    }

    @Test
    void shouldFindAMountOfTheSameDeviceWhenItIsBetween() {
        assertThat(isMountedBetween("/srv/data", "/srv/data/of b")).isTrue();
        assertThat(isMountedBetween("/srv/data", "/srv/data/of b/below")).isTrue();
        assertThat(isMountedBetween("/srv/data", "/srv/data/back\\slash/x")).isTrue();
        assertThat(isMountedBetween("/srv", "/srv/data/x")).isTrue();
        assertThat(isMountedBetween("/", "/proc")).isTrue();
    }

    @Test
    void shouldFindNoMountWhenNoneIsBetween() {
        assertThat(isMountedBetween("/srv/data", "/srv/data")).isFalse();
        assertThat(isMountedBetween("/srv/data", "/srv/data/of")).isFalse();
        assertThat(isMountedBetween("/srv/data", "/srv/data/other")).isFalse();
        assertThat(isMountedBetween("/srv/data/of b", "/srv/data/of b/below")).isFalse();
        assertThat(isMountedBetween("/", "/process")).isFalse();
    }
}
