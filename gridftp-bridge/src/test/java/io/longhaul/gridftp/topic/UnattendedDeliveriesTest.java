package io.longhaul.gridftp.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import io.longhaul.gridftp.Patience;
import io.longhaul.gridftp.file.DirectoryBackend;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Quorum;
import io.longhaul.gridftp.topic.FakeAgent.FakePublication;
import io.longhaul.gridftp.topic.PublishedFile.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of files that nobody would send again, and of those whose client waits, when there is trouble. */
final class UnattendedDeliveriesTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final AgentException FULL =
            new AgentException(AgentException.Code.REFUSED, "broker: the quota is exhausted");

    @TempDir
    private Path directory;

    private final ManualTime time = new ManualTime();
    private final FakeAgent agent = new FakeAgent();
    private final AtomicInteger withoutThreads = new AtomicInteger();
    private final PublishedFile file =
            new PublishedFile("1", FilePath.of("/T/rain.nc"), 4, time.instant(), List.of(), "", State.WAITING, false);
    private Path known;
    private Path bytes;
    private Records records;
    private DirectoryBackend store;
    private Deliveries deliveries;

    @BeforeEach
    void open() throws IOException {
        Executor workers = task -> {
            if (withoutThreads.getAndDecrement() > 0) {
                throw new Error("unable to create native thread");
            }
            task.run();
        };
        World world = new World(time, time::nanoTime, workers, time);
        known = Files.createDirectory(directory.resolve("records"));
        records = new Records(known);
        Path files = Files.createDirectory(directory.resolve("store"));
        store = DirectoryBackend.open(files, 1, time::nanoTime, new SecureRandom());
        Shelf shelf = new Shelf(files, store, records, new Catalogue(time.instant()), TopicsConfig.defaults(), world);
        shelf.open(List.of());
        bytes = shelf.place(Shelf.stored(file));
        Files.writeString(bytes, "rain");
        records.put(file);
        deliveries = new Deliveries(agent, records, shelf, world, 10);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private FakePublication only() {
        assertThat(agent.published).hasSize(1);
        return agent.published.get(0);
    }

    private void fail(FakePublication publication, AgentException why, boolean isForgotten) {
        publication.isForgotten = isForgotten;
        publication.result.completeExceptionally(why);
    }

    private PublishedFile record() {
        assertThat(records.all()).hasSize(1);
        return records.all().get(0);
    }

    /** A client waits until all have it, and leaves after a while. */
    private CompletableFuture<Void> start() {
        return deliveries.start(file, Quorum.ALL).await(Quorum.ALL, () -> {}, PATIENCE);
    }

    @Test
    void shouldPublishWhenTheBrokerHasRoomAgainAfterARestart() {
        // given
        agent.failure.set(FULL);

        // when
        deliveries.resume(List.of(file));

        // then
        assertThat(agent.published).isEmpty();
        assertThat(record().state()).isEqualTo(State.WAITING);
        assertThat(bytes).hasContent("rain");

        // when
        time.pass(Duration.ofSeconds(1));

        // then
        assertThat(only().request.source()).contains(bytes);
    }

    @Test
    void shouldTryEverMoreSeldomWhenTheTroubleLasts() {
        // given
        agent.subscriptions.clear();
        deliveries.resume(List.of(file));

        // when
        time.pass(Duration.ofSeconds(1 + 2 + 4 + 8 + 16));
        agent.subscriptions.add("a");
        time.pass(Duration.ofSeconds(29));

        // then
        assertThat(agent.published).isEmpty();

        // when
        time.pass(Duration.ofSeconds(1));

        // then
        assertThat(agent.published).hasSize(1);
    }

    @Test
    void shouldGoOnWhenItWasAcceptedDuringAnOutageAndTheBrokerIsFullThen() {
        // given
        agent.isOut = true;
        CompletableFuture<Void> client = start();
        agent.isOut = false;
        agent.failure.set(FULL);

        // when
        time.pass(Duration.ofSeconds(1));

        // then
        assertThat(client).isNotDone();
        assertThat(record().state()).isEqualTo(State.WAITING);

        // when
        time.pass(Duration.ofSeconds(1));
        only().answer("a", "");
        only().answer("b", "");

        // then
        assertThat(client).isCompleted();
        assertThat(record().state()).isEqualTo(State.DELIVERED);
    }

    @Test
    void shouldRefuseAndDropWhenTheClientWaitsAndTheBrokerIsFull() {
        // given
        agent.failure.set(FULL);

        // then
        assertThatThrownBy(start()::join).hasMessageContaining("the quota is exhausted");
        assertThat(records.all()).isEmpty();
        Patience.await().untilAsserted(() -> assertThat(bytes).doesNotExist());

        // when
        time.pass(Duration.ofMinutes(1));

        // then
        assertThat(agent.published).isEmpty();
    }

    @Test
    void shouldGoOnWithWhatTheAgentKeepsWhenItsClientHasLeft() {
        // given
        CompletableFuture<Void> client = start();
        FakePublication first = only();
        first.answer("a", "");
        time.pass(PATIENCE);
        assertThatThrownBy(client::join).hasMessageContaining("the delivery goes on");

        // when
        fail(first, new AgentException(AgentException.Code.TRANSFER_FAILED, "Input/output error"), false);
        time.pass(Duration.ofSeconds(1));

        // then
        FakePublication again = only();
        assertThat(again).isNotSameAs(first);
        assertThat(again.transfer()).isEqualTo(first.transfer());

        // when
        again.answer("b", "");

        // then
        assertThat(record().state()).isEqualTo(State.DELIVERED);
    }

    @Test
    void shouldGoOnForTheOthersWhenItsClientWasToldThatOneHasIt() {
        // given
        CompletableFuture<Void> client = deliveries.start(file, new Quorum(1)).await(new Quorum(1), () -> {}, PATIENCE);
        FakePublication first = only();
        first.answer("a", "");
        assertThat(client).isCompleted();

        // when
        fail(first, FULL, false);
        time.pass(Duration.ofSeconds(1));
        only().answer("b", "");

        // then
        assertThat(record().state()).isEqualTo(State.DELIVERED);
    }

    @Test
    void shouldPublishAnewWhenTheAgentForgotItAndNobodyHadIt() {
        // given
        deliveries.resume(List.of(file));

        // when
        fail(only(), FULL, true);
        time.pass(Duration.ofSeconds(1));

        // then
        assertThat(agent.published).hasSize(2);
        assertThat(record().transfer()).isEqualTo(agent.published.get(1).transfer());
    }

    @Test
    void shouldPublishNothingAnewWhenSomebodyHadIt() {
        // given
        deliveries.resume(List.of(file));
        FakePublication publication = only();
        publication.isForgotten = true;

        // when
        publication.answer("a", "");
        publication.answer("b", "no");
        time.pass(Duration.ofMinutes(1));

        // then
        only();
        assertThat(record().state()).isEqualTo(State.OVER);
    }

    @Test
    void shouldDropWhenAllRefuseOrTheFileIsGone() throws IOException {
        // given
        deliveries.resume(List.of(file));
        FakePublication publication = only();
        publication.isForgotten = true;

        // when
        publication.answer("a", "no");
        publication.answer("b", "no");

        // then
        assertThat(records.all()).isEmpty();

        // given
        records.put(file);
        Files.writeString(bytes, "rain");
        agent.failure.set(new AgentException(AgentException.Code.USAGE, "no such name"));

        // when
        deliveries.resume(List.of(file));
        time.pass(Duration.ofMinutes(1));

        // then
        assertThat(records.all()).isEmpty();
        only();

        // given
        records.put(file);
        Files.deleteIfExists(bytes);
        agent.failure.set(FULL);

        // when
        deliveries.resume(List.of(file));
        time.pass(Duration.ofMinutes(1));

        // then
        assertThat(records.all()).isEmpty();
        only();
    }

    @Test
    void shouldNotSayDeliveredWhenAllThatWereSentItAreRemoved() {
        // given
        deliveries.resume(List.of(file));
        FakePublication publication = only();
        publication.spooled.complete(null);

        // when
        agent.subscriptions.clear();
        agent.subscriptions.add("c");
        fail(publication, new AgentException(AgentException.Code.TRANSFER_FAILED, "Input/output error"), false);
        time.pass(Duration.ofMinutes(1));

        // then
        assertThat(only()).isSameAs(publication);
        assertThat(publication.isCancelled).isTrue();
        assertThat(records.all()).isEmpty();
    }

    @Test
    void shouldRefuseWhenTheTopicCannotFulfilTheQuorum() {
        CompletableFuture<Void> client = deliveries.start(file, new Quorum(3)).await(new Quorum(3), () -> {}, PATIENCE);

        assertThatThrownBy(client::join).hasMessageContaining("expected receipts of 3 subscriptions");
        assertThat(agent.published).isEmpty();
    }

    @Test
    void shouldNotWaitForEverWhenTheLastSubscriptionThatWasSentItIsRemoved() {
        // given
        deliveries.resume(List.of(file));
        FakePublication publication = only();
        publication.spooled.complete(null);
        publication.answer("a", "");

        // when one is left that may answer
        agent.subscriptions.addAll(List.of("c", "d"));
        fail(publication, new AgentException(AgentException.Code.REFUSED, "1 can never come"), false);
        time.pass(Duration.ofSeconds(1));

        // then
        FakePublication again = only();
        assertThat(again.request.receipts()).isEqualTo(2);
        assertThat(record().state()).isEqualTo(State.WAITING);

        // when none is left
        again.spooled.complete(null);
        agent.subscriptions.remove("b");
        fail(again, new AgentException(AgentException.Code.REFUSED, "1 can never come"), false);
        time.pass(Duration.ofMinutes(1));

        // then
        assertThat(only()).isSameAs(again);
        assertThat(again.isCancelled).isTrue();
        assertThat(record().state()).isEqualTo(State.OVER);
    }

    @Test
    void shouldFollowWhatGoesOutWhenItsRecordCannotBeWritten() throws IOException {
        // given
        Path away = directory.resolve("away");
        Files.move(known, away);

        // when
        deliveries.resume(List.of(file));
        Files.move(away, known);
        only().answer("a", "");
        only().answer("b", "");

        // then
        assertThat(only().isCancelled).isFalse();
        assertThat(record().state()).isEqualTo(State.DELIVERED);
    }

    @Test
    void shouldGoOnWhenThereIsNoThreadForTheNextTry() {
        // given
        agent.isOut = true;
        deliveries.resume(List.of(file));
        agent.isOut = false;
        withoutThreads.set(1);

        // when
        time.pass(Duration.ofSeconds(1));

        // then
        assertThat(agent.published).isEmpty();

        // when
        time.pass(Duration.ofSeconds(1));
        withoutThreads.set(1);
        only().answer("a", "");
        only().answer("b", "");
        time.pass(Duration.ofSeconds(1));

        // then
        assertThat(record().state()).isEqualTo(State.DELIVERED);
    }
}
