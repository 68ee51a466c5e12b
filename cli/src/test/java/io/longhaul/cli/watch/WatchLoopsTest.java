package io.longhaul.cli.watch;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WatchLoopsTest {
    @TempDir
    private Path home;

    @Test
    void shouldRefuseWhenDeliveriesArriveInWatchedDirectory() throws IOException {
        // given
        Path watched = Files.createDirectories(home.resolve("out"));
        Path link = Files.createSymbolicLink(home.resolve("link"), watched);

        // then
        for (Path into : new Path[] {watched, watched.resolve("in/sub"), link, link.resolve("in")}) {
            assertThatThrownBy(() -> WatchLoops.requireWithoutDeliveries(watched, into, "t"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("=t: expected another directory");
        }
        WatchLoops.requireWithoutDeliveries(watched, home, "t");
        WatchLoops.requireWithoutDeliveries(watched, home.resolve("out2"), "t");
    }

    @Test
    void shouldRefuseWhenDataDirectoryIsInWatchedDirectory() {
        // then
        assertThatThrownBy(() -> WatchLoops.requireWithoutData(home, home.resolve("data")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--data");
        WatchLoops.requireWithoutData(home.resolve("out"), home.resolve("data"));
    }
}
