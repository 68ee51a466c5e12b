package io.longhaul.gridftp.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.TransferEnd;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the record of a killed process says, and what its agent's ledger knows of it. */
final class DeliveriesTest {
    private static final String TRANSFER = "0123456789abcdef0123456789abcdef";

    @TempDir
    private Path directory;

    private final ManualTime time = new ManualTime();
    private final FakeAgent agent = new FakeAgent();
    private final PublishedFile file = new PublishedFile(
            "1", FilePath.of("/T/rain.nc"), 4, time.instant(), List.of("a"), TRANSFER, State.WAITING, false);
    private final World world = new World(time, time::nanoTime, Runnable::run, time);
    private Records records;
    private DirectoryBackend store;
    private Shelf shelf;
    private Deliveries deliveries;

    @BeforeEach
    void open() throws IOException {
        records = new Records(Files.createDirectory(directory.resolve("records")));
        Path bytes = Files.createDirectory(directory.resolve("store"));
        store = DirectoryBackend.open(bytes, 1, time::nanoTime, new SecureRandom());
        Catalogue catalogue = new Catalogue(time.instant());
        shelf = new Shelf(bytes, store, records, catalogue, TopicsConfig.defaults(), world);
        shelf.open(List.of());
        Files.writeString(shelf.place(Shelf.stored(file)), "rain");
        deliveries = new Deliveries(agent, records, shelf, world, 10);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void shouldPublishWhenTheProcessDiedBeforeItsAgentNotedTheTransfer() {
        // when
        deliveries.resume(List.of(file));

        // then
        assertThat(agent.published)
                .singleElement()
                .satisfies(again -> assertThat(again.request.source()).contains(shelf.place(Shelf.stored(file))));
        assertThat(records.all())
                .singleElement()
                .extracting(PublishedFile::transfer)
                .isEqualTo(agent.published.get(0).transfer());
    }

    @Test
    void shouldNotKnowWhoHasItWhenTheTransferWasCompletedAndNobodyHeardOfIt() {
        // given
        agent.ended.put(TRANSFER, TransferEnd.COMPLETED);

        // when
        deliveries.resume(List.of(file));

        // then
        assertThat(agent.published).isEmpty();
        assertThat(records.all())
                .singleElement()
                .extracting(PublishedFile::state)
                .isEqualTo(State.OVER);
    }

    @Test
    void shouldPublishNothingWhenTheTransferWasOver() {
        // given
        agent.ended.put(TRANSFER, TransferEnd.FAILED);

        // when
        deliveries.resume(List.of(file));

        // then
        assertThat(agent.published).isEmpty();
        assertThat(records.all())
                .singleElement()
                .extracting(PublishedFile::state)
                .isEqualTo(State.OVER);
    }

    @Test
    void shouldPublishWhatWasToBeTriedAgainWhenTheProcessDied() {
        // given
        deliveries.resume(List.of(file));
        CompletableFuture<Void> client =
                deliveries.find(file).orElseThrow().await(Quorum.ALL, () -> {}, Duration.ofMinutes(2));
        FakePublication failed = agent.published.get(0);
        failed.isForgotten = true;
        agent.ended.put(failed.transfer(), TransferEnd.FAILED);
        failed.result.completeExceptionally(new AgentException(AgentException.Code.REFUSED, "the quota is exhausted"));

        // then
        assertThat(client).isNotDone();

        // when
        new Deliveries(agent, records, shelf, world, 10).resume(records.all());

        // then
        assertThat(agent.published).hasSize(2);
        assertThat(records.all())
                .singleElement()
                .extracting(PublishedFile::state)
                .isEqualTo(State.WAITING);
    }

    @Test
    void shouldNotTakeTheReceiptOfALaterSubscriptionForThatOfOneItWasSentTo() {
        // given
        deliveries.resume(List.of(file));
        CompletableFuture<Void> client =
                deliveries.find(file).orElseThrow().await(Quorum.ALL, () -> {}, Duration.ofMinutes(2));
        CompletableFuture<Void> content =
                deliveries.find(file).orElseThrow().await(new Quorum(2), () -> {}, Duration.ofMinutes(2));
        FakePublication publication = agent.published.get(0);

        // when
        publication.answer("a", "");
        publication.answer("later", "");

        // then
        assertThat(content).isCompleted();
        assertThat(client).isNotDone();

        // when
        publication.answer("b", "");

        // then
        assertThat(client).isCompleted();
        assertThat(records.all())
                .singleElement()
                .extracting(PublishedFile::state)
                .isEqualTo(State.DELIVERED);
    }
}
