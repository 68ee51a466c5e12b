package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublicationResult;
import io.longhaul.agent.TransferEnd;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.MemoryLink;
import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.ReceiptRows;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Receipt;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublisherRefusalTest extends OneBench {
    private Path file;

    @BeforeEach
    void writeFile() {
        file = bench.file("f", Bench.bytes(10 * Bench.PIECE, 1));
    }

    @Test
    void shouldRefuseAndLeaveNothingWhenNobodySubscribes() {
        // given
        bench.link.unsubscribe(Bench.TOPIC, Bench.SUBSCRIPTION);

        // when
        AgentException failure = Bench.failure(bench.publisher.publish(bench.request(file)));

        // then
        assertThat(failure.code()).isEqualTo(AgentException.Code.REFUSED);
        assertThat(failure).hasMessageContaining("nobody subscribes to topic t.one");
        assertThat(bench.rows()).isEmpty();
        assertThat(bench.link.offered()).isEmpty();
    }

    @Test
    void shouldRefuseNamingNumbersWhenMoreReceiptsAreWantedThanSubscriptionsKnown() {
        // when
        AgentException failure =
                Bench.failure(bench.publisher.publish(bench.request(file).withReceipts(3)));

        // then
        assertThat(failure.code()).isEqualTo(AgentException.Code.REFUSED);
        assertThat(failure)
                .hasMessageContaining("3")
                .hasMessageContaining("found 1")
                .hasMessageContaining("s1");
        assertThat(bench.rows()).isEmpty();
        assertThat(bench.receiptTopics).isEmpty();
    }

    @Test
    void shouldRefuseAndLeaveNothingWhenBrokerForbids() {
        // given
        bench.network.refuse(
                Addresses.topic(Bench.TOPIC),
                new LinkException(LinkException.Code.FORBIDDEN, "user u may not publish to t.one"));

        // when
        AgentException failure = Bench.failure(bench.publisher.publish(bench.request(file)));

        // then
        assertThat(failure.code()).isEqualTo(AgentException.Code.REFUSED);
        assertThat(failure).hasMessageContaining("user u may not publish to t.one");
        assertThat(bench.rows()).isEmpty();
        assertThat(bench.holderTopics).as("flows opened for what was refused").isEmpty();
    }

    @Test
    void shouldFailForGoodWhenLastSubscriptionVanishesMidway() {
        // given
        bench.link.weather(MemoryLink.Weather.UNACKNOWLEDGED);
        Publication publication =
                bench.publisher.publish(bench.request(bench.file("big", Bench.bytes(100 * Bench.PIECE, 2))));
        while (bench.link.inFlight() < 3) {
            Thread.onSpinWait();
        }
        bench.link.acknowledge(2);

        // when
        bench.link.unsubscribe(Bench.TOPIC, Bench.SUBSCRIPTION);
        bench.link.weather(MemoryLink.Weather.FAIR);

        // then
        assertThat(Bench.failure(publication).code()).isEqualTo(AgentException.Code.REFUSED);
        assertThat(bench.rows().get(0).state()).isEqualTo(TransferState.FAILED);
    }

    @Test
    void shouldCompleteWithReceiptsWhenAllAwaitedAreIn() {
        // given
        bench.network.createSubscription(Bench.TOPIC, "s2");
        Publication publication = bench.publisher.publish(bench.request(file).withReceipts(2));
        while (!publication.progress().phase().equals("waiting")) {
            Thread.onSpinWait();
        }
        assertThat(bench.receiptTopics).containsOnly(Bench.TOPIC);
        while (bench.holderTopics.isEmpty()) {
            Thread.onSpinWait();
        }
        Receipt first = bench.receipt(publication, "s1", Receipt.Outcome.DELIVERED, "");

        // when
        bench.publisher.receipt(first);
        bench.publisher.receipt(first);
        assertThat(publication.result()).isNotDone();
        bench.publisher.receipt(bench.receipt(publication, "s2", Receipt.Outcome.KEPT, ""));

        // then
        PublicationResult result = Bench.await(publication);
        assertThat(result.receipts()).extracting(Receipt::subscription).containsExactly("s1", "s2");
        assertThat(bench.store.ledger().receipts(Direction.OUTGOING, publication.transfer()))
                .hasSize(2);
        assertThat(bench.rows().get(0).state()).isEqualTo(TransferState.COMPLETED);
    }

    @Test
    void shouldKeepReceiptDurableAndGoOnWaitingWhenRestarted() {
        // given
        bench.network.createSubscription(Bench.TOPIC, "s2");
        Publication publication = bench.publisher.publish(bench.request(file).withReceipts(2));
        while (!publication.progress().phase().equals("waiting")) {
            Thread.onSpinWait();
        }
        bench.publisher.receipt(bench.receipt(publication, "s1", Receipt.Outcome.DELIVERED, ""));

        // when
        bench.restart();
        Publication again = bench.publisher.publish(bench.request(file).withReceipts(2));
        bench.publisher.receipt(bench.receipt(again, "s2", Receipt.Outcome.DELIVERED, ""));

        // then
        assertThat(again.transfer()).isEqualTo(publication.transfer());
        assertThat(Bench.await(again).receipts()).hasSize(2);
        assertThat(bench.received().manifests).hasSize(1);
    }

    @Test
    void shouldFailNamingSubscriptionWhenAReceiptSaysFailed() {
        // given
        bench.network.createSubscription(Bench.TOPIC, "s2");
        Publication publication = bench.publisher.publish(bench.request(file).withReceipts(2));

        // when
        bench.publisher.receipt(bench.receipt(publication, "s1", Receipt.Outcome.FAILED, "no such luck"));
        assertThat(publication.result()).isNotDone();
        bench.publisher.receipt(bench.receipt(publication, "s2", Receipt.Outcome.DELIVERED, ""));

        // then
        AgentException failure = Bench.failure(publication);
        assertThat(failure.code()).isEqualTo(AgentException.Code.TRANSFER_FAILED);
        assertThat(failure).hasMessageContaining("s1").hasMessageContaining("no such luck");
        assertThat(publication.result().handle((result, why) -> why).join()).isSameAs(failure);
        assertThat(bench.rows().get(0).state()).isEqualTo(TransferState.FAILED);
    }

    @ParameterizedTest
    @CsvSource({
        "'digest: expected %s, found %s, though every piece is as it was sent', VERIFICATION_FAILED",
        "'tree: expected 2 entries, 7 bytes, digest %s, found 2 entries', VERIFICATION_FAILED",
        "'name \"digest: expected\": expected a directory', TRANSFER_FAILED"
    })
    void shouldSayVerificationOnlyWhenBytesAreWrong(String reason, AgentException.Code code) {
        // given
        Publication publication = bench.publisher.publish(bench.request(file).withReceipts(1));
        String digest = "ab".repeat(32);

        // when
        bench.publisher.receipt(
                bench.receipt(publication, "s1", Receipt.Outcome.FAILED, String.format(reason, digest, digest)));

        // then
        assertThat(Bench.failure(publication).code()).isEqualTo(code);
    }

    @Test
    void shouldRefuseWhenRunningTransferWaitsForFewerReceipts() {
        // given
        bench.network.createSubscription(Bench.TOPIC, "s2");
        Publication running = bench.publisher.publish(bench.request(file).withReceipts(1));

        // then
        assertThatThrownBy(() -> bench.publisher.publish(bench.request(file).withReceipts(2)))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("ends with 1 receipts")
                .hasMessageContaining("2");
        assertThat(bench.publisher.publish(bench.request(file))).isSameAs(running);
    }

    @Test
    void shouldGoOnWhenACallerCancelsItsFuture() {
        // given
        Publication publication = bench.publisher.publish(bench.request(file).withReceipts(1));

        // when
        publication.result().cancel(true);
        publication.spooled().completeExceptionally(new IllegalStateException("a caller's own"));
        bench.publisher.receipt(bench.receipt(publication, "s1", Receipt.Outcome.DELIVERED, ""));

        // then
        assertThat(Bench.await(publication).receipts()).hasSize(1);
        Bench.await(publication.spooled());
    }

    @Test
    void shouldRefuseShowingBytesWhenPathIsNotUtf8ThoughANameIsGiven() throws Exception {
        // given
        Path place = Files.createDirectories(directory.resolve("place"));
        Process made =
                new ProcessBuilder("bash", "-c", "echo x > \"$1/\"$'bad\\xff'", "bash", place.toString()).start();
        assertThat(made.waitFor()).isZero();
        Path bad;
        try (Stream<Path> files = Files.list(place)) {
            bad = files.findFirst().orElseThrow();
        }

        // then
        assertThatThrownBy(() -> bench.publisher.publish(bench.request(bad).withName("good")))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("not valid UTF-8")
                .hasMessageContaining("\"bad\\xff\"");
        assertThat(bench.rows()).isEmpty();
    }

    @Test
    void shouldIgnoreReceiptsOfOtherPublishers() {
        // given
        Publication publication = bench.publisher.publish(bench.request(file));
        Bench.await(publication);
        Receipt own = bench.receipt(publication, "s1", Receipt.Outcome.DELIVERED, "");
        Receipt other = new Receipt(
                new io.longhaul.wire.TransferId(1, 2),
                Bench.TOPIC,
                "s1",
                "sub",
                Receipt.Outcome.DELIVERED,
                0,
                "0".repeat(64),
                "x",
                1,
                "",
                Optional.empty());

        // when
        bench.publisher.receipt(other);
        bench.publisher.receipt(own);

        // then
        assertThat(ReceiptRows.of(bench.store.ledger(), Direction.OUTGOING)).hasSize(1);
    }

    @Test
    void shouldTellReceiversAndRecordItWhenCancelledWhileSending() {
        // given
        bench.link.weather(MemoryLink.Weather.UNACKNOWLEDGED);
        Publication publication =
                bench.publisher.publish(bench.request(bench.file("big", Bench.bytes(100 * Bench.PIECE, 2))));
        while (bench.link.inFlight() < 3) {
            Thread.onSpinWait();
        }

        // when
        publication.cancel();
        publication.cancel();
        bench.link.weather(MemoryLink.Weather.FAIR);

        // then
        AgentException failure = Bench.failure(publication);
        assertThat(failure.code()).isEqualTo(AgentException.Code.TRANSFER_FAILED);
        assertThat(failure).hasMessageContaining("cancelled");
        assertThat(bench.received().cancels).hasSize(1);
        assertThat(bench.rows().get(0).state()).isEqualTo(TransferState.CANCELLED);
        assertThat(bench.publisher.resumeAll()).isEmpty();
    }

    @Test
    void shouldNotSayThatItIsCancelledWhenTheLedgerCouldNotBeTold() {
        // given
        Order order = new Order();
        try (Bench full = new Bench(directory.resolve("full"), Disk.real(), order)) {
            Publication publication = full.publisher.publish(
                    full.request(full.file("f", Bench.bytes(10, 2))).withReceipts(1));
            while (!publication.progress().phase().equals("waiting")) {
                Thread.onSpinWait();
            }

            // when
            order.refusal = new StorageException(StorageException.Code.NO_SPACE, "no space for the ledger");
            publication.cancel();

            // then
            AgentException failure = Bench.failure(publication);
            assertThat(failure.code()).isEqualTo(AgentException.Code.REFUSED);
            assertThat(failure)
                    .hasMessageContaining("goes on at the next start")
                    .hasMessageContaining("no space for the ledger");
            assertThat(full.received().cancels).isEmpty();
            assertThat(full.rows().get(0).state()).isEqualTo(TransferState.SENT);
        }
    }

    @Test
    void shouldCancelWhenTransferWaitsForReceiptsOrDoesNotRun() {
        // given
        Publication waiting = bench.publisher.publish(bench.request(file).withReceipts(1));
        while (!waiting.progress().phase().equals("waiting")) {
            Thread.onSpinWait();
        }
        bench.restart();
        Publication dormant = bench.publisher.find(waiting.transfer()).orElseThrow();

        // when
        dormant.cancel();

        // then
        Bench.failure(dormant);
        assertThat(bench.received().cancels).hasSize(1);
        assertThat(bench.rows().get(0).state()).isEqualTo(TransferState.CANCELLED);
        assertThat(bench.publisher.endOf(waiting.transfer())).contains(TransferEnd.FAILED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndAtOnceWhenGivenUpWhileTheBrokerDoesNotAnswer(boolean spool) {
        // given
        bench.link.weather(MemoryLink.Weather.MUTE);
        Publication publication = bench.publisher.publish(bench.request(file).withSpool(spool));
        while (bench.link.asking() == 0) {
            Thread.onSpinWait();
        }

        // when
        publication.cancel();

        // then
        assertThat(Bench.failure(publication)).hasMessageContaining("cancelled");
        bench.link.weather(MemoryLink.Weather.FAIR);
        assertThat(bench.rows()).allMatch(row -> row.state() == TransferState.CANCELLED);
    }
}
