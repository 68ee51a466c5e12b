package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    @Test
    void shouldKeepWhatIsNotItsOwnWhenEarlierQuickstartLeftMark() throws IOException {
        // given
        Path root = home.resolve("q");
        QuickstartPlace.prepare(root).close();
        Files.createDirectories(root.resolve("site-1"));
        Files.writeString(root.resolve("thesis.tex"), "x");

        // then
        assertThatThrownBy(() -> QuickstartPlace.prepare(root))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("\"thesis.tex\"");
        assertThat(root.resolve("thesis.tex")).exists();
        assertThat(root.resolve("site-1")).exists();
    }

    @Test
    void shouldRefuseSourceWhenPlaceAndSourceAreInsideOfEachOther() throws IOException {
        // given
        Path root = Files.createDirectories(home.resolve("q"));
        Path inside = Files.createDirectories(root.resolve("site-1"));
        Path link = Files.createSymbolicLink(home.resolve("link"), inside);
        Path leadsOut = Files.createSymbolicLink(inside.resolve("out"), Files.createFile(home.resolve("file")));

        // then
        for (Path source : List.of(inside, root, link, leadsOut, home, link.resolve("out"))) {
            assertThatThrownBy(() -> QuickstartPlace.requireApart(source, root))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("--dir");
        }
        assertThatThrownBy(
                        () -> QuickstartPlace.requireApart(inside, Files.createSymbolicLink(home.resolve("q2"), root)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> QuickstartPlace.requireApart(home, home.resolve("not/yet")))
                .isInstanceOf(IllegalArgumentException.class);
        QuickstartPlace.requireApart(home.resolve("file"), root);
    }
}
