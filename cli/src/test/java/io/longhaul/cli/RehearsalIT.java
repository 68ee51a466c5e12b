package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RehearsalIT {
    @TempDir
    private Path directory;

    @Test
    void shouldDeliverAFileAndATreeAndEnd() throws IOException {
        try (TestEnvironment world = new TestEnvironment(directory)) {
            // when
            int exit = world.run("rehearsal", directory.toString());

            // then
            assertThat(world.err()).noneMatch(line -> line.contains("unexpected"));
            assertThat(exit).isZero();
            assertThat(SameContent.of(directory.resolve("file"), directory.resolve("into/file")))
                    .isTrue();
            assertThat(SameContent.of(directory.resolve("tree"), directory.resolve("into/tree")))
                    .isTrue();
        }
    }
}
