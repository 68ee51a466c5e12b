package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.Publication;
import io.longhaul.wire.FrameType;
import io.longhaul.wire.Receipt;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Receipts that are late may be lost, and are asked for. */
class ReceiptWatchTest {
    @TempDir
    Path directory;

    private Bench bench;
    private Publication publication;

    @BeforeEach
    void publish() {
        bench = new Bench(directory);
        Path file = bench.file("f", Bench.bytes(10 * Bench.PIECE, 1));
        publication = bench.publisher.publish(bench.request(file).withReceipts(1));
        fireUntil(() -> publication.progress().phase().equals("waiting"));
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private void fireUntil(BooleanSupplier reached) {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!reached.getAsBoolean()) {
            assertThat(System.nanoTime()).as("not reached").isLessThan(deadlineNs);
            bench.delay.fire();
            Thread.onSpinWait();
        }
    }

    private long seals() {
        return bench.frames().stream()
                .filter(frame -> frame.type() == FrameType.SEAL)
                .count();
    }

    @Test
    void shouldSendTheSealAgainWhileAReceiptIsMissing() {
        // when
        fireUntil(() -> seals() > 1);

        // then
        bench.publisher.receipt(bench.receipt(publication, Bench.SUBSCRIPTION, Receipt.Outcome.DELIVERED, ""));
        assertThat(Bench.await(publication).receipts()).hasSize(1);
    }

    @Test
    void shouldAskEverLessOften() {
        // when
        List<Integer> rounds = IntStream.rangeClosed(1, 4_096)
                .filter(ReceiptWatch::isReminderDue)
                .boxed()
                .toList();

        // then
        assertThat(rounds).containsExactly(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 3_072, 4_096);
    }
}
