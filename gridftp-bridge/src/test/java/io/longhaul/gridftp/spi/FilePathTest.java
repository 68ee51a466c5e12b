package io.longhaul.gridftp.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class FilePathTest {
    @Test
    void shouldStayAtTheRootWhenAPathWantsAboveIt() {
        assertThat(FilePath.of("/../../etc/./passwd")).hasToString("/etc/passwd");
        assertThat(FilePath.of("a/b").resolve("../../../c")).hasToString("/c");
        assertThat(FilePath.of("//a//b/")).hasToString("/a/b");
        assertThat(FilePath.of("/a").resolve("")).hasToString("/a");
    }

    @Test
    void shouldTakeEncodedNamesAsTheyAreWritten() {
        assertThat(FilePath.of("/%2e%2e/x").names()).containsExactly("%2e%2e", "x");
    }

    @Test
    void shouldRefuseWhenANameIsNone() {
        assertThatThrownBy(() -> new FilePath(List.of("a/b"))).isInstanceOf(BackendException.class);
        assertThatThrownBy(() -> new FilePath(List.of(".."))).isInstanceOf(BackendException.class);
        assertThatThrownBy(() -> FilePath.of("a\0b")).isInstanceOf(BackendException.class);
    }
}
