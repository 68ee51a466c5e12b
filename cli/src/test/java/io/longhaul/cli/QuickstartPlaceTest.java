package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class QuickstartPlaceTest {
    @TempDir
    private Path home;

    @Test
    void shouldReplaceWhenEarlierQuickstartLeftFiles() throws IOException {
        // given
        Path root = home.resolve("q");
        try (QuickstartPlace place = QuickstartPlace.prepare(root)) {
            Files.createDirectories(place.site("site-1"));
            Files.createDirectories(place.machinery("broker"));
        }
        assertThat(root.resolve("site-1")).exists();
        assertThat(root.resolve("machinery")).doesNotExist();

        // when
        try (QuickstartPlace place = QuickstartPlace.prepare(root)) {
            // then
            assertThat(place.site("site-1")).doesNotExist();
        }
    }

    @Test
    void shouldRefuseWhenDirectoryHoldsSomethingElse() throws IOException {
        // given
        Files.writeString(home.resolve("thesis.tex"), "x");

        // then
        assertThatThrownBy(() -> QuickstartPlace.prepare(home))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("--dir");
        assertThat(home.resolve("thesis.tex")).exists();
    }
}
