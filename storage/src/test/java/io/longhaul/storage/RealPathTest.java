package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RealPathTest {
    @TempDir
    Path home;

    @Test
    void shouldFollowLinksAsFarAsThereIsSomething() throws IOException {
        // given
        Path there = Files.createDirectories(home.resolve("a/b")).toRealPath();
        Path link = Files.createSymbolicLink(home.resolve("link"), there);

        // then
        assertThat(RealPath.of(link)).isEqualTo(there);
        assertThat(RealPath.of(link.resolve("not/yet"))).isEqualTo(there.resolve("not/yet"));
        assertThat(RealPath.of(link.resolve("x/../y/."))).isEqualTo(there.resolve("y"));
    }
}
