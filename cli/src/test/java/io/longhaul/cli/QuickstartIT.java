package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class QuickstartIT {
    @TempDir
    private Path home;

    @Test
    void shouldDeliverTwiceWhenRunTwice() throws IOException {
        // given
        Path source = Files.createDirectories(home.resolve("source/sub")).getParent();
        Files.write(source.resolve("sub/big.bin"), new byte[3_000_001]);
        Files.writeString(source.resolve("small"), "x");
        Path place = home.resolve("place");

        for (int run = 0; run < 2; run++) {
            try (TestEnvironment world = new TestEnvironment(home)) {
                // when
                int exit = world.run("quickstart", source.toString(), "--dir", place.toString(), "--json");

                // then
                assertThat(world.err()).last().asString().doesNotContain("unexpected");
                assertThat(exit).isZero();
                assertThat(world.out()).hasSize(5).last().asString().contains("\"event\":\"quickstart\",\"ok\":true");
                assertThat(SameContent.of(source, place.resolve("site-2/source")))
                        .isTrue();
                assertThat(place.resolve("machinery")).doesNotExist();
            }
        }
    }
}
