package io.longhaul.gridftp.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.Patience;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients hear of topics while the broker does not answer. */
final class BrokerAwayTest {
    private static final FilePath TOPIC = FilePath.of("/T");

    private final ManualTime time = new ManualTime();
    private final ExecutorService workers = Executors.newCachedThreadPool();
    private final FakeAgent agent = new FakeAgent();

    @TempDir
    private Path directory;

    private TopicsBackend topics;

    @BeforeEach
    void open() {
        open(1000);
    }

    private void open(int waitingFiles) {
        World world = new World(time, time::nanoTime, workers, time);
        topics = TopicsBackend.open(
                directory, agent, TopicsConfig.defaults().withWaitingFiles(waitingFiles), world, () -> {});
    }

    @AfterEach
    void close() throws InterruptedException {
        agent.answering.complete(null);
        topics.close();
        workers.shutdown();
        assertThat(workers.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    private static void assertUnavailable(CompletableFuture<?> answer) {
        assertThat(answer).isDone();
        assertThatThrownBy(answer::join)
                .cause()
                .isInstanceOfSatisfying(
                        BackendException.class, e -> assertThat(e.code()).isEqualTo(Code.UNAVAILABLE))
                .hasMessageContaining("Connection timed out")
                .hasMessageContaining("topic T");
    }

    @Test
    void shouldAnswerSoonWhenTheBrokerDoesNot() {
        // given
        agent.answering = new CompletableFuture<>();

        // when
        CompletableFuture<List<Entry>> first = topics.list(TOPIC);
        time.pass(Questions.PATIENCE.minusSeconds(1));

        // then
        assertThat(first).isNotDone();

        // when
        time.pass(Questions.PATIENCE);

        // then
        assertUnavailable(first);
        assertUnavailable(topics.list(TOPIC));
        assertUnavailable(topics.stat(TOPIC));
    }

    @Test
    void shouldTakeAFileAtOnceWhenTheBrokerIsKnownToBeAway() {
        // given
        agent.answering = new CompletableFuture<>();
        topics.list(TOPIC);
        time.pass(Questions.PATIENCE);

        // then
        topics.write(WriteRequest.replace(FilePath.of("/T/f")))
                .orTimeout(Patience.SECONDS, TimeUnit.SECONDS)
                .join()
                .abort()
                .join();
    }

    @Test
    void shouldAskAgainWhenTheBrokerWasAwayAWhileAgo() {
        // given
        agent.isOut = true;
        assertThatThrownBy(topics.list(TOPIC)::join).hasMessageContaining("Connection timed out");
        agent.isOut = false;
        assertUnavailable(topics.list(TOPIC));

        // when
        time.pass(Questions.REMEMBERED);

        // then
        assertThat(topics.list(TOPIC).join()).isEmpty();
    }

    private Sink written(String path) {
        Sink sink = topics.write(WriteRequest.replace(FilePath.of(path))).join();
        sink.write(0, Unpooled.copiedBuffer(path, StandardCharsets.UTF_8)).join();
        return sink;
    }

    @Test
    void shouldAskForAFewOnlyWhenManyFilesWait() {
        // given
        List<Sink> sinks =
                IntStream.range(0, 40).mapToObj(i -> written("/T/" + i)).toList();
        agent.answering = new CompletableFuture<>();

        // when
        sinks.forEach(sink -> sink.commit(done -> {}));
        Records records = new Records(directory.resolve("records"));
        Patience.await().until(() -> records.all().size() == sinks.size() && agent.asking.get() >= 16);
        agent.answering.complete(null);
        Patience.await().until(() -> agent.published.size() == sinks.size());

        // then
        assertThat(agent.mostAsking.get()).isEqualTo(16);
    }

    @Test
    void shouldRefuseOneMoreWhenTooManyFilesWait() {
        // given
        topics.close();
        open(3);
        List<Sink> sinks = List.of(written("/T/1"), written("/T/2"), written("/T/3"));
        agent.isOut = true;
        sinks.forEach(sink -> sink.commit(done -> {}));

        // then
        Patience.await()
                .untilAsserted(() -> assertThatThrownBy(() -> written("/T/4"))
                        .cause()
                        .isInstanceOfSatisfying(
                                BackendException.class,
                                e -> assertThat(e.code()).isEqualTo(Code.UNAVAILABLE))
                        .hasMessageContaining("3 files wait for the broker"));

        // when
        agent.isOut = false;
        time.passUntil(Duration.ofSeconds(1), () -> agent.published.size() == sinks.size());

        // then
        Patience.await().ignoreExceptions().until(() -> written("/T/4") != null);
    }
}
