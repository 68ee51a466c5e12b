package io.longhaul.gridftp.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.topic.PublishedFile.State;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class CatalogueTest {
    private final Catalogue catalogue = new Catalogue(Instant.EPOCH);

    private static FilePath path(String text) {
        return FilePath.of(text);
    }

    private static PublishedFile file(String id, String path, long length) {
        return new PublishedFile(id, path(path), length, Instant.EPOCH, List.of(), "", State.WAITING, false);
    }

    private static void assertFails(Code code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        BackendException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void shouldShowTheNewestOfAPathAndItsDirectories() {
        // when
        catalogue.put(file("2", "/T/d/f", 2));
        catalogue.put(file("1", "/T/d/f", 1));

        // then
        assertThat(catalogue.stat(path("/T/d/f")).orElseThrow().length()).isEqualTo(2);
        assertThat(catalogue.stat(path("/T/d")).orElseThrow().isDirectory()).isTrue();
        assertFails(Code.IS_A_DIRECTORY, () -> catalogue.checkFree(path("/T/d")));
        assertFails(Code.NOT_A_DIRECTORY, () -> catalogue.checkFree(path("/T/d/f/g")));

        // when
        catalogue.remove(file("1", "/T/d/f", 1));

        // then
        assertThat(catalogue.file(path("/T/d/f"))).isPresent();

        // when
        catalogue.remove(file("2", "/T/d/f", 2));

        // then
        assertThat(catalogue.list(FilePath.ROOT).orElseThrow()).isEmpty();
    }

    @Test
    void shouldKeepDirectoriesUntilClientsRemoveThem() {
        // given
        catalogue.makeDirectory(path("/T/d"));
        catalogue.put(file("1", "/T/d/f", 1));

        // then
        assertFails(Code.EXISTS, () -> catalogue.makeDirectory(path("/T/d")));
        assertFails(Code.NOT_FOUND, () -> catalogue.makeDirectory(path("/T/x/y")));
        assertFails(Code.NOT_EMPTY, () -> catalogue.removeDirectory(path("/T/d")));

        // when
        catalogue.remove(file("1", "/T/d/f", 1));

        // then
        assertThat(catalogue.list(path("/T")).orElseThrow())
                .extracting(Entry::name)
                .containsExactly("d");

        // when
        catalogue.removeDirectory(path("/T/d"));

        // then
        assertThat(catalogue.stat(path("/T"))).isEmpty();
    }
}
