package io.longhaul.gridftp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendContract;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract over a server that says what the protocol wants it to. */
abstract class FrontBehind extends BackendContract {
    private final boolean isExtended;

    @TempDir
    private Path place;

    private Served served;
    private GridFtpBackend backend;

    FrontBehind(boolean isExtended) {
        this.isExtended = isExtended;
    }

    @BeforeEach
    void open() {
        served = Served.directory(place.resolve("root"));
        backend = GridFtpBackend.open(served.config().withExtended(isExtended), "test", System::nanoTime, new Random());
    }

    @AfterEach
    void close() {
        backend.close();
        assertThat(served.everything()).noneMatch(Places::isTemporary);
        served.close();
    }

    @Override
    protected Backend backend() {
        return backend;
    }

    @Test
    void shouldWriteToWhatALinkLeadsToWhenTheServerTells() throws IOException {
        // given
        Path root = place.resolve("root");
        Files.createDirectory(root.resolve("d"));
        put("/d/f", "old");
        Path link = Files.createSymbolicLink(root.resolve("link"), Path.of("d/f"));
        Path again = Files.createSymbolicLink(root.resolve("d/again"), Path.of("../link"));

        // when
        put("/d/again", "new");

        // then
        assertThat(root.resolve("d/f")).hasContent("new");
        assertThat(link).isSymbolicLink();
        assertThat(again).isSymbolicLink();
    }

    @Test
    void shouldWriteToTheEndOfAChainWhenTheSystemWouldFollowIt() throws IOException {
        // given
        put("/f0", "old");
        Path root = place.resolve("root");
        List<Path> links = new ArrayList<>();
        for (int number = 1; number <= 30; number++) {
            links.add(Files.createSymbolicLink(root.resolve("f" + number), Path.of("f" + (number - 1))));
        }

        // when
        put("/f30", "new");

        // then
        assertThat(root.resolve("f0")).hasContent("new");
        assertThat(links).allMatch(Files::isSymbolicLink);
    }

    @Test
    void shouldTellWhichFileItGoesOnWithWhenItIsARestart() {
        put("/f", "hel");
        Sink restarted = backend.write(new WriteRequest(
                        FilePath.of("/f"), Kind.RESTART, 0, List.of(new ByteRange(0, 3)), Optional.empty()))
                .join();

        assertThat(restarted.old()).contains(backend.stat(FilePath.of("/f")).join());
        restarted.abort().join();
    }
}
