package io.longhaul.gridftp.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import io.longhaul.gridftp.Patience;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Quorum;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.topic.FakeAgent.FakePublication;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FailedPublicationTest {
    private final ManualTime time = new ManualTime();
    private final ExecutorService workers = Executors.newCachedThreadPool();
    private final FakeAgent agent = new FakeAgent();

    @TempDir
    private Path directory;

    private TopicsBackend topics;

    @BeforeEach
    void open() {
        TopicsConfig config = TopicsConfig.defaults().withQuorum(Quorum.ALL, Duration.ofMinutes(2));
        topics = TopicsBackend.open(directory, agent, config, new World(time, time::nanoTime, workers, time), () -> {});
    }

    @AfterEach
    void close() throws InterruptedException {
        topics.close();
        workers.shutdown();
        assertThat(workers.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    private CompletableFuture<Entry> store() {
        return store(Quorum.ALL);
    }

    private CompletableFuture<Entry> store(Quorum quorum) {
        WriteRequest request =
                WriteRequest.replace(FilePath.of("/T/some/path.nc")).withQuorum(Optional.of(quorum));
        Sink sink = topics.write(request).join();
        sink.write(0, Unpooled.copiedBuffer("rain", StandardCharsets.UTF_8)).join();
        return sink.commit(done -> {});
    }

    private FakePublication publication(int number) {
        return agent.recorded(number, directory);
    }

    /** A client is told of a failure first. */
    private void awaitForgotten() {
        Patience.await()
                .ignoreExceptions() // of a record that goes while it is read
                .until(() -> new Records(directory.resolve("records")).all().isEmpty());
    }

    @Test
    void shouldNotTellWhereTheFrontKeepsFiles() {
        // given
        CompletableFuture<Entry> stored = store();
        FakePublication publication = publication(1);
        String bytes = String.valueOf(publication.request.source().orElseThrow());

        // when
        publication.result.completeExceptionally(new AgentException(
                AgentException.Code.TRANSFER_FAILED,
                "source " + bytes + " changed, as " + directory.resolve("agent") + " says"));

        // then
        assertThatThrownBy(stored::join)
                .cause()
                .hasMessageContaining("source /T/some/path.nc changed, as --data/agent says")
                .hasMessageNotContaining(directory.toString());
    }

    @Test
    void shouldNotShowWhatItsClientWasToldIsRefused() {
        // given
        FilePath path = FilePath.of("/T/some/path.nc");
        agent.subscriptions.add("slow");
        CompletableFuture<Entry> stored = store();
        publication(1).answer("a", "");
        assertThat(topics.stat(path).join().length()).isEqualTo(4);

        // when
        publication(1).answer("b", "a directory is in its place");

        // then
        assertThatThrownBy(stored::join).hasMessageContaining("a directory is in its place");
        assertThatThrownBy(() -> topics.stat(path).join()).hasMessageContaining("No such file or directory");
        assertThatThrownBy(() -> topics.read(path, List.of()).join()).hasMessageContaining("No such file or directory");
        assertThat(topics.list(path.parent()).join()).isEmpty();

        // when: the same bytes for whom one is enough
        store(Quorum.parse("1")).join();

        // then
        assertThat(topics.stat(path).join().length()).isEqualTo(4);
        assertThat(agent.published).hasSize(1);
    }

    @Test
    void shouldNotShowWhatWasRefusedWhenItIsOpenedAgain() {
        // given
        FilePath path = FilePath.of("/T/some/path.nc");
        CompletableFuture<Entry> stored = store();
        FakePublication publication = publication(1);
        publication.isForgotten = true; // it ends with the last answer
        publication.answer("a", "");
        publication.answer("b", "a directory is in its place");
        assertThatThrownBy(stored::join).hasMessageContaining("a directory is in its place");
        Records records = new Records(directory.resolve("records"));
        Patience.await().until(() -> records.all().get(0).state() == PublishedFile.State.OVER);

        // when
        topics.close();
        open();

        // then
        assertThatThrownBy(() -> topics.stat(path).join()).hasMessageContaining("No such file or directory");
        assertThat(topics.list(path.parent()).join()).isEmpty();
    }

    @Test
    void shouldNotSayStoredWhenTheClientComesAgainWhileItFails() {
        // given: a client that comes while the failure is being dealt with
        CompletableFuture<Entry> first = store();
        FakePublication publication = publication(1);
        CompletableFuture<Entry> meanwhile = new CompletableFuture<>();
        publication.whenCancelled = () -> {
            try {
                meanwhile.complete(store().join());
            } catch (CompletionException e) {
                meanwhile.completeExceptionally(e.getCause());
            }
        };

        // when
        publication.result.completeExceptionally(
                new AgentException(AgentException.Code.TRANSFER_FAILED, "the spool is lost"));

        // then
        assertThatThrownBy(first::join).hasMessageContaining("the spool is lost");
        assertThatThrownBy(meanwhile::join).hasMessageContaining("the spool is lost");

        // when
        awaitForgotten();
        CompletableFuture<Entry> again = store();
        FakePublication second = publication(2);
        second.answer("a", "");
        second.answer("b", "");

        // then
        assertThat(again.join().length()).isEqualTo(4);
    }

    @Test
    void shouldPublishTheNextFileOfThePathWhenThereWasAnErrorBefore() {
        // given
        agent.failure.set(new LinkageError("half an update"));

        // then
        assertThatThrownBy(store()::join).hasMessageContaining("half an update");

        // when
        awaitForgotten();
        CompletableFuture<Entry> again = store();
        FakePublication second = publication(1);
        second.answer("a", "");
        second.answer("b", "");

        // then
        assertThat(again.join().length()).isEqualTo(4);
    }

    @Test
    void shouldForgetTheFileWhenItCannotBePutInItsPlace() throws IOException {
        // given
        Path files = directory.resolve("store/files");
        Files.delete(files);

        // then
        assertThatThrownBy(store()::join).hasMessageContaining("/T/some/path.nc");

        // when
        Files.createDirectories(files);

        // then
        assertThat(new Records(directory.resolve("records")).all()).isEmpty();
        assertThat(agent.published).isEmpty();
    }
}
