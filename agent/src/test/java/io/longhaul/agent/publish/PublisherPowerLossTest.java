package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.Publication;
import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.link.MemoryLink;
import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.ForgetfulDisk;
import io.longhaul.storage.ReceiptRows;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Receipt;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublisherPowerLossTest {
    @TempDir
    Path directory;

    private final Order order = new Order();

    private ForgetfulDisk disk() {
        return new ForgetfulDisk(directory.resolve("data"), directory.resolve("scratch"));
    }

    private static PublishRequest stream(byte[] content) {
        return PublishRequest.of(new ByteArrayInputStream(content), "piped", Bench.TOPIC)
                .withPieceSize(Bench.PIECE);
    }

    @Test
    void shouldStillHaveAllThatWasSpooledWhenPowerFails() {
        // given
        ForgetfulDisk disk = disk();
        byte[] content = Bench.bytes(100_000, 1);
        try (Bench bench = new Bench(directory, disk, order)) {
            bench.link.weather(MemoryLink.Weather.STALLED);
            Bench.await(bench.publisher.publish(stream(content)).spooled());

            // when
            disk.powerLoss();
            bench.restart(disk.restart());
            bench.publisher.resumeAll().forEach(Bench::await);

            // then
            assertThat(bench.received().file()).isEqualTo(content);
        }
    }

    @Test
    void shouldKnowTheTransferWhenPowerFailsAfterItsManifestWasOffered() {
        // given
        ForgetfulDisk disk = disk();
        byte[] content = Bench.bytes(100_000, 1);
        try (Bench bench = new Bench(directory, disk, order)) {
            bench.link.weather(MemoryLink.Weather.STALLED);
            Publication publication = bench.publisher.publish(bench.request(bench.file("f", content)));
            while (bench.link.inFlight() == 0) {
                Thread.onSpinWait();
            }

            // when
            disk.powerLoss();
            bench.restart(disk.restart());

            // then
            assertThat(bench.rows())
                    .singleElement()
                    .satisfies(row -> assertThat(row.transferId()).isEqualTo(publication.transfer()));
            bench.publisher.resumeAll().forEach(Bench::await);
            assertThat(bench.received().file()).isEqualTo(content);
        }
    }

    @Test
    void shouldStillKnowResultAndReceiptWhenPowerFails() {
        // given
        ForgetfulDisk disk = disk();
        try (Bench bench = new Bench(directory, disk, order)) {
            Publication publication = bench.publisher.publish(
                    bench.request(bench.file("f", Bench.bytes(10, 1))).withReceipts(1));
            bench.publisher.receipt(bench.receipt(publication, "s1", Receipt.Outcome.DELIVERED, ""));
            Bench.await(publication);

            // when
            disk.powerLoss();
            bench.restart(disk.restart());

            // then
            assertThat(bench.rows().get(0).state()).isEqualTo(TransferState.COMPLETED);
            assertThat(ReceiptRows.of(bench.store.ledger(), Direction.OUTGOING)).hasSize(1);
        }
    }

    @Test
    void shouldWriteForceCommitAndOnlyThenOfferAndAnswerWhenSpooling() {
        try (Bench bench = new Bench(directory, Disk.real(), order)) {
            // when
            Publication publication = bench.publisher.publish(stream(Bench.bytes(400_000, 1)));
            CompletableFuture<Void> answered = publication.spooled().thenRun(() -> order.add("answer", 0));
            Bench.await(publication);
            Bench.await(answered);
        }

        // then
        Set<Long> written = new HashSet<>();
        Set<Long> forced = new HashSet<>();
        Set<Long> committed = new HashSet<>();
        for (Order.Event event : order.events()) {
            switch (event.what()) {
                case "write" -> written.add(event.number());
                case "force" -> {
                    forced.addAll(written);
                    written.clear();
                }
                case "commit slot" ->
                    assertThat(forced).as("forced before commit").contains(event.number());
                case "commit piece" -> committed.add(event.number());
                case "offer piece" ->
                    assertThat(committed).as("committed before offer").contains(event.number());
                case "answer" ->
                    assertThat(committed).as("committed before answer").hasSize(98);
                default -> assertThat(event.what()).isNotEmpty();
            }
        }
        assertThat(order.first("answer")).isPositive();
        assertThat(order.first("commit SENDING")).isLessThan(order.first("offer manifest"));
    }

    @Test
    void shouldCommitBeforeTheManifestAndBeforeTheResultWhenSendingDirectly() {
        // when
        try (Bench bench = new Bench(directory, Disk.real(), order)) {
            Publication publication = bench.publisher.publish(bench.request(bench.file("f", Bench.bytes(9_000, 1))));
            Bench.await(publication.result().thenRun(() -> order.add("result", 0)));
        }

        // then
        assertThat(order.first("commit SENDING")).isNotNegative().isLessThan(order.first("offer manifest"));
        assertThat(order.first("offer seal")).isLessThan(order.first("commit COMPLETED"));
        assertThat(order.first("commit COMPLETED")).isLessThan(order.first("result"));
    }

    @Test
    void shouldCommitReceiptBeforeItIsTaken() {
        // when
        try (Bench bench = new Bench(directory, Disk.real(), order)) {
            Publication publication = bench.publisher.publish(bench.request(bench.file("f", Bench.bytes(9_000, 1))));
            Bench.await(publication);
            bench.publisher.receipt(bench.receipt(publication, "s1", Receipt.Outcome.DELIVERED, ""));
            order.add("taken", 0);
        }

        // then
        assertThat(order.first("commit receipt")).isNotNegative().isLessThan(order.first("taken"));
    }
}
