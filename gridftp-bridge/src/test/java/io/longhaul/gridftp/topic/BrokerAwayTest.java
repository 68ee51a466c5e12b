package io.longhaul.gridftp.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.WriteRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
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
    private TopicsBackend topics;

    @BeforeEach
    void open(@TempDir Path directory) {
        World world = new World(time, time::nanoTime, workers, time);
        topics = TopicsBackend.open(directory, agent, TopicsConfig.defaults(), world, () -> {});
    }

    @AfterEach
    void close() throws InterruptedException {
        agent.answering.complete(null);
        topics.close();
        workers.shutdown();
        assertThat(workers.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
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
                .orTimeout(10, TimeUnit.SECONDS)
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
}
