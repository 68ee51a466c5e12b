package io.longhaul.gridftp.remote;

import io.longhaul.gridftp.content.ContentStore;
import io.longhaul.gridftp.file.DirectoryBackend;
import io.longhaul.gridftp.post.FakePosts;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendContract;
import io.longhaul.gridftp.spi.Principal;
import io.longhaul.gridftp.transfer.FrontTransfers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A directory behind a network that loses, repeats and disorders messages. */
final class RemoteBackendTest extends BackendContract {
    private static final FakePosts.Faults FAULTS =
            new FakePosts.Faults(0.005, 0.05, Duration.ofMillis(0), Duration.ofMillis(3));

    private static final ContentStore.Limits LIMITS = new ContentStore.Limits(1L << 30, Duration.ofHours(1), 0, 100);

    @TempDir
    private Path directory;

    private final ScheduledExecutorService network = Executors.newSingleThreadScheduledExecutor();
    private DirectoryBackend files;
    private EndpointServer server;
    private RemoteFiles remote;

    @BeforeEach
    void connect() throws IOException {
        FakePosts posts = new FakePosts(network, 1, FAULTS);
        Path root = Files.createDirectory(directory.resolve("root"));
        files = DirectoryBackend.open(root, 2, System::nanoTime, new SecureRandom());
        server = EndpointServer.open(
                posts.post("back"),
                user -> files,
                new EndpointServer.Settings(directory.resolve("back"), LIMITS),
                end -> {});
        remote = RemoteFiles.open(
                posts.post("front"),
                new RemoteFiles.Settings(directory.resolve("front"), LIMITS, FrontTransfers.Reply.DELIVERED),
                end -> {});
    }

    @AfterEach
    void disconnect() {
        remote.close();
        server.close();
        files.close();
        network.shutdownNow();
    }

    @Override
    protected Backend backend() {
        return remote.of("back", new Principal("bob", false));
    }
}
