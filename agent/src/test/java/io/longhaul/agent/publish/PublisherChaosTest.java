package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.Publication;
import io.longhaul.agent.PublicationResult;
import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.link.MemoryLink;
import io.longhaul.storage.TransferState;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random weather and random kills, repeatable by their seed. */
class PublisherChaosTest {
    private static final int STEPS = 25;
    private static final int MOST_SETTLED = 30;

    /** So many that the storm is over before the file is sent: a second request after the end is another transfer. */
    private static final int PIECES = STEPS * MOST_SETTLED;

    private static final int WINDOW_PIECES = 64 * 1024 / Bench.PIECE;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldSendExactlyTheBytesWhenFileIsSentInBadWeather(long seed) {
        byte[] content = Bench.bytes(PIECES * Bench.PIECE + (int) seed, seed);
        try (Bench bench = new Bench(directory)) {
            Path file = bench.file("f", content);

            // when
            Storm storm = new Storm(bench, bench.request(file), seed);
            PublicationResult result = storm.rage();

            // then
            assertThat(bench.received().file()).as("seed " + seed).isEqualTo(content);
            assertThat(result.resentPieces())
                    .as("seed %d, %d interruptions", seed, storm.interruptions)
                    .isLessThanOrEqualTo((long) storm.interruptions * WINDOW_PIECES);
            assertThat(bench.rows())
                    .singleElement()
                    .satisfies(row -> assertThat(row.state()).isEqualTo(TransferState.COMPLETED));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void shouldSendExactlyTheBytesWhenFileIsSpooledInBadWeather(long seed) {
        byte[] content = Bench.bytes(PIECES * Bench.PIECE + (int) seed, seed);
        try (Bench bench = new Bench(directory)) {
            Path file = bench.file("f", content);

            // when
            new Storm(bench, bench.request(file).withSpool(true), seed).rage();

            // then
            assertThat(bench.received().file()).as("seed " + seed).isEqualTo(content);
            assertThat(bench.rows()).hasSize(1);
        }
    }

    @Test
    void shouldSendTheSameTreeWhenWeatherIsBad() {
        try (Bench bench = new Bench(directory)) {
            for (int i = 0; i < 800; i++) {
                bench.file("top/" + i % 11 + "/" + i, Bench.bytes(2_000 + i, i));
            }

            // when
            new Storm(bench, bench.request(directory.resolve("top")), 8).rage();

            // then
            assertThat(bench.received().tree()).hasSize(800);
        }
    }

    private static final class Storm {
        private final Bench bench;
        private final PublishRequest request;
        private final Random random;
        private int interruptions;

        Storm(Bench bench, PublishRequest request, long seed) {
            this.bench = bench;
            this.request = request;
            this.random = new Random(seed);
        }

        PublicationResult rage() {
            bench.link.weather(MemoryLink.Weather.UNACKNOWLEDGED);
            Publication publication = bench.publisher.publish(request);
            for (int step = 0; step < STEPS && !publication.result().isDone(); step++) {
                switch (random.nextInt(6)) {
                    case 0 -> bench.link.weather(MemoryLink.Weather.STALLED);
                    case 1 -> {
                        bench.link.weather(MemoryLink.Weather.DOWN);
                        interruptions++;
                    }
                    case 2 -> {
                        bench.delay.fire();
                        bench.restart();
                        interruptions++;
                        bench.link.weather(MemoryLink.Weather.UNACKNOWLEDGED);
                        publication = bench.publisher.publish(request);
                    }
                    default -> {
                        bench.link.weather(MemoryLink.Weather.UNACKNOWLEDGED);
                        settle(random.nextInt(MOST_SETTLED), publication);
                    }
                }
            }
            bench.link.weather(MemoryLink.Weather.FAIR);
            bench.passUntilOver(publication);
            return Bench.await(publication);
        }

        private void settle(int frames, Publication publication) {
            int settled = 0;
            while (settled < frames && !publication.result().isDone()) {
                settled += bench.link.acknowledge(1);
                bench.delay.fire(); // one that found the link down comes back
            }
            bench.delay.fire();
        }
    }
}
