package io.longhaul.broker.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeptLinesTest {
    @TempDir
    private Path directory;

    @Test
    void shouldReadNothingWhenThereIsNoFile() throws IOException {
        assertThat(new KeptLines(directory.resolve("file"), "test").read()).isEmpty();
    }

    @Test
    void shouldReadWhatWasWrittenLast() throws IOException {
        // given
        KeptLines lines = new KeptLines(directory.resolve("made/file"), "test");

        // when
        lines.write(List.of("one", "two"));
        lines.write(List.of("three"));

        // then
        assertThat(lines.read()).containsExactly("three");
        assertThat(directory.resolve("made")).isDirectoryNotContaining("glob:**.new");
    }

    @Test
    void shouldMakeItsDirectoryForItsOwnerAlone() throws IOException {
        // when
        new KeptLines(directory.resolve("made/file"), "test").write(List.of("one"));

        // then
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("made"))))
                .isEqualTo("rwx------");
    }

    @Test
    void shouldRefuseAFileWhenItIsDamagedOrOfAnotherKind() throws IOException {
        // given
        Path file = directory.resolve("file");
        KeptLines lines = new KeptLines(file, "test");
        lines.write(List.of("term 1"));

        // when / then
        assertThatThrownBy(() -> new KeptLines(file, "other").read())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("expected a file that begins with longhaul-other 1");
        Files.writeString(file, Files.readString(file).replace("term 1", "term 2"));
        assertThatThrownBy(lines::read).isInstanceOf(IOException.class).hasMessageContaining("expected crc");
    }
}
