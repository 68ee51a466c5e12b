package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.Accounts;
import io.longhaul.gridftp.FrontConfig;
import io.longhaul.gridftp.call.Call;
import io.longhaul.gridftp.client.ClientConfig;
import io.longhaul.gridftp.client.ClientLimits;
import io.longhaul.gridftp.client.Credentials;
import io.longhaul.gridftp.client.ServerUrl;
import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.content.ContentStore;
import io.longhaul.gridftp.file.DirectoryBackend;
import io.longhaul.gridftp.front.GridFtpFront;
import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.server.GridFtpBackend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import io.longhaul.storage.Disk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A destination at a server that takes one session at a time. */
final class DestinationIT {
    private static final Principal USER = new Principal("anna", false);
    private static final FilePath FILE = FilePath.of("/f");

    @TempDir
    private Path directory;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private DirectoryBackend files;
    private GridFtpFront server;
    private GridFtpBackend backend;

    @BeforeEach
    void open() throws IOException {
        files = DirectoryBackend.open(
                Files.createDirectory(directory.resolve("root")), 2, System::nanoTime, new Random());
        server = GridFtpFront.launch(
                FrontConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                Accounts.anonymous(),
                user -> files,
                2);
        ServerUrl url = ServerUrl.parse("ftp://127.0.0.1:" + server.port() + "/");
        ClientConfig config = ClientConfig.of(url, Credentials.anonymous())
                .withLimits(ClientLimits.defaults().withSessions(1, 0));
        backend = GridFtpBackend.open(config, "test", System::nanoTime, new Random());
    }

    @AfterEach
    void close() {
        backend.close();
        server.close();
        files.close();
        thread.shutdownNow();
    }

    /** Commits once it is open. */
    private static final class Committing implements Destination.Listener {
        private final CompletableFuture<Entry> done = new CompletableFuture<>();
        private Optional<Destination> destination = Optional.empty();
        private long bytes;

        @Override
        public void over(Entry file, Runnable next) {
            next.run();
        }

        @Override
        public void opened(Sink sink) {
            destination.orElseThrow().pump();
        }

        @Override
        public void unopened(BackendException failure) {
            // heard of again
        }

        @Override
        public void progress(long taken) {
            if (taken == 0 || bytes > 0) {
                return;
            }
            bytes = taken;
            destination.orElseThrow().commit();
        }

        @Override
        public void untried() {
            // heard of again
        }

        @Override
        public void committed(Entry entry) {
            done.complete(entry);
        }

        @Override
        public void failed(BackendException failure) {
            done.completeExceptionally(failure);
        }
    }

    private CompletableFuture<Entry> restart(Optional<Entry> basis) {
        ContentStore store = ContentStore.open(
                directory.resolve("contents"), Disk.real(), ContentStore.Limits.DEFAULT, Clock.systemUTC(), 1);
        Content content = store.create(new Number128(1, 2), "");
        content.write(3, ByteBuffer.wrap("lo".getBytes(StandardCharsets.UTF_8)));
        content.sealAt(5);
        WriteRequest rest = new WriteRequest(FILE, Kind.RESTART, 0, List.of(new ByteRange(0, 3)), Optional.empty());
        Call.Deliver call = new Call.Deliver(USER, content.id(), rest, Optional.empty(), Call.Deliver.End.OPEN, 1);
        World world = new World(store, thread, thread, System::nanoTime, Clock.systemUTC(), new Random());
        Committing committing = new Committing();
        DeliveryNote note = new DeliveryNote("front", call);
        thread.execute(() -> {
            Destination destination = new Destination(
                    world,
                    user -> backend,
                    content,
                    basis.map(note::over).orElse(note).committing(),
                    committing);
            committing.destination = Optional.of(destination);
            destination.open();
        });
        return committing.done.orTimeout(20, TimeUnit.SECONDS);
    }

    @Test
    void shouldSeeThatTheRestIsThereWhenNobodyHeardOfIt() throws IOException {
        // given
        Files.writeString(directory.resolve("root/f"), "hel");
        Entry before = backend.stat(FILE).join();

        // when
        Files.writeString(directory.resolve("root/f"), "hello");

        // then
        assertThat(restart(Optional.of(before)).join().length()).isEqualTo(5);
    }

    @Test
    void shouldRefuseTheRestWhenTheFileHasOtherBytes() throws IOException {
        // given
        Files.writeString(directory.resolve("root/f"), "hel");
        Entry before = backend.stat(FILE).join();

        // when
        Files.writeString(directory.resolve("root/f"), "helmo");

        // then
        assertThatThrownBy(restart(Optional.of(before))::join)
                .cause()
                .isInstanceOfSatisfying(
                        BackendException.class, e -> assertThat(e.code()).isEqualTo(Code.BAD_RANGE));
    }

    @Test
    void shouldAddTheRestWhenTheServerHasOneSession() throws IOException {
        // given
        Files.writeString(directory.resolve("root/f"), "hel");

        // when
        CompletableFuture<Entry> done = restart(Optional.empty());

        // then
        assertThat(done.join().length()).isEqualTo(5);
        assertThat(Files.readString(directory.resolve("root/f"))).isEqualTo("hello");
    }
}
