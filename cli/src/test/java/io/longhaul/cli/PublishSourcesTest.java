package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublishSourcesTest {
    @TempDir
    Path home;

    private Path link;

    @BeforeEach
    void makeLink() throws IOException {
        Path there = Files.createDirectories(home.resolve("there/sub"));
        link = Files.createSymbolicLink(home.resolve("link"), there);
    }

    @Test
    void shouldRefuseTwoFilesOfOneNameWhenOneIsAboveWhereALinkLeads() {
        // given
        List<String> sources =
                List.of(home.resolve("f").toString(), link.resolve("../f").toString());

        // when, then
        assertThatThrownBy(() -> PublishSources.requireDistinctNames(sources))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("link/../f")
                .hasMessageContaining("same name");
    }

    @Test
    void shouldTakeOneFileForItselfHoweverItIsNamed() {
        // given
        List<String> sources =
                List.of(home.resolve("there/f").toString(), link.resolve("../f").toString());

        // when, then
        assertThatCode(() -> PublishSources.requireDistinctNames(sources)).doesNotThrowAnyException();
    }
}
