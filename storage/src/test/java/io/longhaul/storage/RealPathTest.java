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

    @Test
    void shouldStepUpBehindALinkFromWhereItLeads() throws IOException {
        // given
        Path there = Files.createDirectories(home.resolve("a/b")).toRealPath();
        Path link = Files.createSymbolicLink(home.resolve("link"), there);

        // then
        assertThat(RealPath.of(link.resolve("../not/yet"))).isEqualTo(there.resolveSibling("not/yet"));
        assertThat(RealPath.withoutDots(link.resolve("../f"))).isEqualTo(there.resolveSibling("f"));
        assertThat(RealPath.withoutDots(link.resolve(".."))).isEqualTo(there.getParent());
    }

    @Test
    void shouldKeepLinksByTheirNamesWhereThatIsTheSame() throws IOException {
        // given
        Files.createDirectories(home.resolve("there/sub"));
        Path link = Files.createSymbolicLink(home.resolve("link"), home.resolve("there"));
        Files.createSymbolicLink(home.resolve("nowhere"), home.resolve("gone"));

        // then
        assertThat(RealPath.withoutDots(link.resolve("./sub/../f"))).isEqualTo(link.resolve("f"));
        assertThat(RealPath.withoutDots(link.resolve("../f"))).isEqualTo(home.resolve("f"));
        assertThat(RealPath.withoutDots(home.resolve("gone/../f"))).isEqualTo(home.resolve("f"));
        assertThat(RealPath.withoutDots(home.resolve("nowhere/../f"))).isEqualTo(home.resolve("f"));
        assertThat(RealPath.withoutDots(Path.of("/../f"))).isEqualTo(Path.of("/f"));
    }
}
