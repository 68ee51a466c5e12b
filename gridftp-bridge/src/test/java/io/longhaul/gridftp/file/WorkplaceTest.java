package io.longhaul.gridftp.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files that lie beside their targets, since those are on another file system than the root. */
final class WorkplaceTest {
    private static final Path ROOT = Path.of("/dev");

    private final Random random = new Random(7);
    private Path directory = ROOT;

    @BeforeEach
    void open() throws IOException {
        Path memory = ROOT.resolve("shm");
        Assumptions.assumeTrue(Files.isWritable(memory), "there is no second file system");
        Assumptions.assumeFalse(Files.getFileStore(memory).equals(Files.getFileStore(ROOT)));
        directory = Files.createTempDirectory(memory, "longhaul");
    }

    @AfterEach
    void close() throws IOException {
        if (!directory.equals(ROOT)) {
            Files.walk(directory)
                    .sorted((one, other) -> other.compareTo(one))
                    .forEach(path -> path.toFile().delete());
        }
    }

    @Test
    void shouldRemoveWhatAKilledProcessLeftWhenItsSuccessorIsToldOfIt() throws IOException {
        // given
        Workplace killed = Workplace.in(ROOT, random);
        Workplace successor = Workplace.in(ROOT, random);
        Path left = Files.createFile(killed.newFile(directory));
        Path own = Files.createFile(successor.newFile(directory));
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
}
