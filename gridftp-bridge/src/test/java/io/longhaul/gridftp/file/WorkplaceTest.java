package io.longhaul.gridftp.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files that lie beside their targets, since those are on another file system than the root. */
final class WorkplaceTest {
    private static final Path ROOT = Path.of("/dev");

    private final Random random = new Random();
    private final List<Workplace> open = new ArrayList<>();
    private Path directory = ROOT;

    @BeforeEach
    void open() throws IOException {
        Path memory = ROOT.resolve("shm");
        Assumptions.assumeTrue(Files.isWritable(memory), "there is no second file system");
        Assumptions.assumeFalse(Files.getFileStore(memory).equals(Files.getFileStore(ROOT)));
        directory = Files.createTempDirectory(memory, "longhaul");
    }

    private Workplace workplace() throws IOException {
        Workplace workplace = Workplace.in(ROOT, random);
        open.add(workplace);
        return workplace;
    }

    private Path begun(Workplace workplace) throws IOException {
        return Files.createFile(workplace.newPart(directory.resolve("rain.nc")).place());
    }

    @AfterEach
    void close() throws IOException {
        open.forEach(Workplace::close);
        if (!directory.equals(ROOT)) {
            Files.walk(directory)
                    .sorted((one, other) -> other.compareTo(one))
                    .forEach(path -> path.toFile().delete());
        }
    }

    @Test
    void shouldRemoveWhatAKilledProcessLeftWhenItsSuccessorIsToldOfIt() throws IOException {
        // given
        Path left = begun(workplace());
        Workplace successor = workplace();
        Path own = begun(successor);
        Path users = Files.createFile(directory.resolve("rain.nc"));
        String told = Workplace.left(left).orElseThrow();

        // when
        successor.discard(told);
        successor.discard(told);
        successor.discard(own.toString());
        successor.discard(users.toString());

        // then
        assertThat(directory.toFile().list())
                .containsExactlyInAnyOrder(String.valueOf(own.getFileName()), String.valueOf(users.getFileName()));
        assertThat(Workplace.left(users)).isEmpty();
    }

    @Test
    void shouldRemoveWhatAKilledProcessLeftWhenItsSuccessorStarts() throws IOException {
        // given: a killed process has no lock and everything else
        Assumptions.assumeTrue(Files.isWritable(ROOT), "nothing can be made in the root");
        Workplace killed = workplace();
        Part part = killed.newPart(directory.resolve("rain.nc"));
        Path note = part.note().orElseThrow();
        Files.createFile(part.place());
        killed.close();
        assertThat(part.place()).doesNotExist();
        assertThat(note.getParent()).doesNotExist();
        Files.createDirectories(note.getParent());
        Files.createFile(note.resolveSibling("lock"));
        Files.createSymbolicLink(note, Files.createFile(part.place()));
        Path users = Files.createFile(directory.resolve("rain.nc"));
        Files.createSymbolicLink(note.resolveSibling("another"), users);

        // when
        workplace();

        // then
        assertThat(directory.toFile().list()).containsExactly("rain.nc");
        assertThat(note.getParent()).doesNotExist();
    }

    @Test
    void shouldKeepTheNoteWhenTheOtherFileSystemIsNotThere() throws IOException {
        // given
        Assumptions.assumeTrue(Files.isWritable(ROOT), "nothing can be made in the root");
        Workplace killed = workplace();
        Path note = killed.newPart(directory.resolve("rain.nc")).note().orElseThrow();
        killed.close();
        Files.createDirectories(note.getParent());
        Path lock = Files.createFile(note.resolveSibling("lock"));
        Path name = Path.of(".longhaul-0-1");
        Path away = ROOT.resolve("longhaul-is-away");
        Path below = Files.createSymbolicLink(note, away.resolve("2026").resolve(name));
        Path gone = Files.createSymbolicLink(
                note.resolveSibling("another"), directory.resolve("removed").resolve(name));

        try {
            // when
            workplace();

            // then
            assertThat(below).isSymbolicLink();
            assertThat(lock).exists();
            assertThat(Files.isSymbolicLink(gone)).isFalse();
        } finally {
            Files.deleteIfExists(below);
            workplace();
        }
        assertThat(note.getParent()).doesNotExist();
    }

    @Test
    void shouldLeaveNoNoteWhenAPartHasEnded() throws IOException {
        // given
        Part part = workplace().newPart(directory.resolve("rain.nc"));
        Files.createFile(part.place());

        // when
        part.remove();

        // then
        assertThat(directory).isEmptyDirectory();
        assertThat(part.note().filter(Files::isSymbolicLink)).isEmpty();
    }
}
