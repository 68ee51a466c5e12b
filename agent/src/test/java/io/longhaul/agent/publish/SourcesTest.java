package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourcesTest {
    @TempDir
    Path directory;

    @Test
    void shouldNameTheTargetWhenASymbolicLinkLeadsNowhere() throws IOException {
        // given
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("gone"));

        // when, then
        assertThatThrownBy(() -> Sources.real(link))
                .isInstanceOf(SourceException.class)
                .hasMessage("source \"" + link + "\" is a symbolic link to \"gone\", which does not exist");
    }

    @Test
    void shouldSayThatASourceDoesNotExist() {
        // given
        Path nothing = directory.resolve("nothing");

        // when, then
        assertThatThrownBy(() -> Sources.real(nothing))
                .isInstanceOf(SourceException.class)
                .hasMessage("source \"" + nothing + "\" does not exist");
    }
}
