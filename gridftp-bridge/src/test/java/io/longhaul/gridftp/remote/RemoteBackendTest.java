package io.longhaul.gridftp.remote;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.Patience;
import io.longhaul.gridftp.content.ContentStore;
import io.longhaul.gridftp.file.DirectoryBackend;
import io.longhaul.gridftp.post.FakePosts;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendContract;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import io.longhaul.gridftp.transfer.FrontTransfers;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
    private volatile Backend served;
    private EndpointServer server;
    private RemoteFiles remote;

    @BeforeEach
    void connect() throws IOException {
        FakePosts posts = new FakePosts(network, 1, FAULTS);
        Path root = Files.createDirectory(directory.resolve("root"));
        files = DirectoryBackend.open(root, 2, System::nanoTime, new SecureRandom());
        served = files;
        server = EndpointServer.open(
                posts.post("back"),
                user -> served,
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

    @Test
    void shouldEndAChecksumWhenNobodyWantsItAnyMore() {
        // given
        served = (Backend) Proxy.newProxyInstance(
                Backend.class.getClassLoader(),
                new Class<?>[] {Backend.class},
                (proxy, method, arguments) -> new CompletableFuture<>());

        // when
        CompletableFuture<String> sum = backend()
                .checksum(FilePath.of("/f"), ChecksumAlgorithm.MD5, new ByteRange(0, 1), bytes -> {
                    throw new CancellationException("nobody wants it");
                });

        // then
        assertThatThrownBy(sum.orTimeout(Patience.SECONDS, TimeUnit.SECONDS)::join)
                .hasRootCauseInstanceOf(CancellationException.class);
    }
}
