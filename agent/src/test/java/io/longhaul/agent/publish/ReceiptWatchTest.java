package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.Publication;
import io.longhaul.agent.link.MemoryLink;
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
        await(() -> {}, () -> publication.progress().phase().equals("waiting"));
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private void fireUntil(BooleanSupplier reached) {
        await(bench.delay::fire, reached);
    }

    private static void await(Runnable step, BooleanSupplier reached) {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(Bench.PATIENCE_SECONDS);
        while (!reached.getAsBoolean()) {
            assertThat(System.nanoTime()).as("not reached").isLessThan(deadlineNs);
            step.run();
            Thread.onSpinWait();
        }
    }

    private void look(int times) {
        for (int i = 0; i < times; i++) {
            await(() -> {}, () -> bench.delay.waiting() > 0);
            bench.delay.fire();
        }
    }

    private long offeredSeals() {
        return bench.link.offered().stream()
                .filter(frame -> frame.type() == FrameType.SEAL)
                .count();
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
    void shouldNotAskWhileTheBrokerIsAway() {
        // given
        bench.link.weather(MemoryLink.Weather.DOWN);
        look(2); // who looked before that may still have been asking when the first timer went off
        int asked = bench.link.asked();

        // when
        look(64);

        // then
        assertThat(offeredSeals()).isEqualTo(1);
        assertThat(bench.link.asked()).as("questions that wait for the broker").isEqualTo(asked);

        // when
        bench.link.weather(MemoryLink.Weather.FAIR);
        look(1);

        // then
        await(() -> {}, () -> seals() > 1);
    }

    @Test
    void shouldNotAskAgainBeforeTheLastReminderHasItsOutcome() {
        // given
        bench.link.weather(MemoryLink.Weather.STALLED);
        fireUntil(() -> offeredSeals() > 1);

        // when
        look(64);

        // then
        assertThat(offeredSeals()).isEqualTo(2);

        // when
        bench.link.weather(MemoryLink.Weather.FAIR);

        // then
        fireUntil(() -> seals() > 2);
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
