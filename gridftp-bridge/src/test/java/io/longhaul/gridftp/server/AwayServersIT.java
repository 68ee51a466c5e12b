package io.longhaul.gridftp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.FilePath;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is told of servers that are away, or will not, to who may ask again. */
final class AwayServersIT {
    private static final FilePath FILE = FilePath.of("/f");

    private ScriptedServer server;
    private GridFtpBackend backend;

    @BeforeEach
    void open() throws IOException {
        server = new ScriptedServer();
        backend = GridFtpBackend.open(server.config(), "test", System::nanoTime, new Random());
    }

    @AfterEach
    void close() throws IOException {
        backend.close();
        server.close();
    }

    @Test
    void shouldTellWhetherTheServerWasAskedWhenItCannotBeDone() throws IOException {
        // given
        server.on("MKD", (client, path) -> client.leave());

        // then
        assertThat(backend.makeDirectory(FILE)
                        .handle((done, failure) -> isUntried(failure))
                        .join())
                .isFalse();

        // when
        server.close();

        // then
        assertThat(backend.makeDirectory(FILE)
                        .handle((done, failure) -> isUntried(failure))
                        .join())
                .isTrue();
    }

    @Test
    void shouldTellWhetherTheServerIsAwayWhenItCannotBeAsked() throws IOException {
        // given
        server.once("MLST", (client, path) -> client.say("450 Try again."));
        server.once("PASS", (client, path) -> client.say("530 Login incorrect."));
        server.once("USER", (client, path) -> client.say("421 Going down."));

        // then
        assertThat(isAway(backend.stat(FILE))).isTrue();
        assertThat(isAway(backend.stat(FILE))).isFalse();
        assertThat(server.commands())
                .filteredOn(line -> line.startsWith("PASS"))
                .hasSize(1);
        assertThat(isAway(backend.stat(FILE))).isFalse();

        // when
        server.on("MLST", (client, path) -> client.leave());

        // then
        assertThat(isAway(backend.stat(FILE))).isTrue();

        // when
        server.close();

        // then
        assertThat(isAway(backend.stat(FILE))).isTrue();
        assertThat(isAway(backend.makeDirectory(FILE))).isTrue();
    }

    private static boolean isAway(CompletableFuture<?> asked) {
        return asked.handle((done, failure) -> failure instanceof BackendException known && known.isAway())
                .join();
    }

    private static boolean isUntried(Throwable failure) {
        return failure instanceof BackendException known && known.isUntried();
    }
}
