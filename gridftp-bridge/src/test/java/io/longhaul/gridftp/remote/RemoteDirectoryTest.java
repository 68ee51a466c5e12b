package io.longhaul.gridftp.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.Patience;
import io.longhaul.gridftp.call.Answer;
import io.longhaul.gridftp.call.Call;
import io.longhaul.gridftp.call.Callee;
import io.longhaul.gridftp.content.ContentStore;
import io.longhaul.gridftp.post.FakePosts;
import io.longhaul.gridftp.post.PostOffice;
import io.longhaul.gridftp.spi.Directory;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import io.longhaul.gridftp.transfer.FrontTransfers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How often a back is asked for a directory and what is in it. */
final class RemoteDirectoryTest {
    private static final Entry SELF = new Entry("d", Entry.Type.DIRECTORY, 0, Instant.EPOCH, true, Optional.empty());
    private static final Entry FILE = new Entry("f", Entry.Type.FILE, 1, Instant.EPOCH, true, Optional.empty());
    private static final FilePath PATH = FilePath.of("/d");

    @TempDir
    private Path directory;

    private final ScheduledExecutorService network = Executors.newSingleThreadScheduledExecutor();
    private final FakePosts posts = new FakePosts(network, 1, FakePosts.Faults.NONE);
    private final List<Call.Type> asked = new CopyOnWriteArrayList<>();
    private RemoteFiles remote;

    @BeforeEach
    void connect() {
        remote = RemoteFiles.open(
                posts.post("front"),
                new RemoteFiles.Settings(
                        directory,
                        new ContentStore.Limits(1L << 30, Duration.ofHours(1), 0, 100),
                        FrontTransfers.Reply.DELIVERED),
                end -> {});
    }

    @AfterEach
    void disconnect() {
        remote.close();
        network.shutdownNow();
    }

    /** Answers calls as a back does. */
    private void serve(Optional<Entry> self) {
        PostOffice office = new PostOffice(posts.post("back"));
        Callee.Service service = (from, call, age, progress) -> {
            asked.add(call.type());
            return CompletableFuture.completedFuture(
                    call.type() == Call.Type.STAT ? new Answer.Found(SELF) : new Answer.Listed(self, List.of(FILE)));
        };
        new Callee(office, service, network, System::nanoTime);
        office.open();
    }

    private Directory get() {
        return remote.of("back", new Principal("bob", false))
                .directory(PATH)
                .orTimeout(Patience.SECONDS, TimeUnit.SECONDS)
                .join();
    }

    @Test
    void shouldAskOnceWhenTheBackTellsOfTheDirectoryToo() {
        serve(Optional.of(SELF));

        assertThat(get()).isEqualTo(new Directory(SELF, List.of(FILE)));
        assertThat(asked).containsExactly(Call.Type.LIST_DIRECTORY);
    }

    @Test
    void shouldLookAtTheDirectoryItselfWhenAnOlderBackDoesNotTell() {
        serve(Optional.empty());

        assertThat(get()).isEqualTo(new Directory(SELF, List.of(FILE)));
        assertThat(asked).containsExactly(Call.Type.LIST_DIRECTORY, Call.Type.STAT);
    }
}
