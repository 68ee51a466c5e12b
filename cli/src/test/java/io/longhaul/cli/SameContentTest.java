package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SameContentTest {
    @TempDir
    private Path home;

    private Path a;
    private Path b;

    @BeforeEach
    void createTrees() throws IOException {
        a = tree("a");
        b = tree("b");
    }

    private Path tree(String name) throws IOException {
        Path root = Files.createDirectories(home.resolve(name).resolve("sub")).getParent();
        Files.writeString(root.resolve("sub/file"), "content");
        Files.createSymbolicLink(root.resolve("link"), Path.of("sub/file"));
        return root;
    }

    @Test
    void shouldBeSameWhenTreesAreAlike() {
        // then
        assertThat(SameContent.of(a, b)).isTrue();
        assertThat(SameContent.of(a.resolve("sub/file"), b.resolve("sub/file"))).isTrue();
    }

    @Test
    void shouldDifferWhenAByteDiffers() throws IOException {
        // given
        Files.writeString(b.resolve("sub/file"), "cOntent");

        // then
        assertThat(SameContent.of(a, b)).isFalse();
    }

    @Test
    void shouldDifferWhenNameOrKindDiffers() throws IOException {
        // given
        Files.writeString(b.resolve("more"), "x");
        assertThat(SameContent.of(a, b)).isFalse();

        // then
        assertThat(SameContent.of(a, a.resolve("sub/file"))).isFalse();
        assertThat(SameContent.of(a.resolve("link"), a.resolve("sub/file"))).isFalse();
    }
}
