package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.Publication;
import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.MemoryLink;
import io.longhaul.wire.Manifest;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Publications of one publisher at a time. */
class PublisherManyTest extends OneBench {
    private static final int STREAMS = 12;

    @Test
    @Timeout(Bench.PATIENCE_SECONDS)
    void shouldReadAllStreamsAtOnceWhenOneThreadWritesThemByTurns() throws IOException {
        // given
        List<PipedOutputStream> writers = new ArrayList<>();
        List<Publication> publications = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) {
            PipedOutputStream writer = new PipedOutputStream();
            writers.add(writer);
            publications.add(
                    bench.publisher.publish(PublishRequest.of(new PipedInputStream(writer), "piped" + i, Bench.TOPIC)
                            .withPieceSize(Bench.PIECE)));
        }

        // when
        for (int round = 0; round < 5; round++) {
            for (PipedOutputStream writer : writers) {
                writer.write(Bench.bytes(Bench.PIECE, round));
            }
        }
        for (PipedOutputStream writer : writers) {
            writer.close();
        }

        // then
        publications.forEach(Bench::await);
    }

    @Test
    @Timeout(Bench.PATIENCE_SECONDS)
    void shouldAnnounceThoseOfOneNameInTheirOrderWhenTheFirstHasToWait() {
        // given
        Path first = bench.file("first", Bench.bytes(100, 1));
        Path second = bench.file("second", Bench.bytes(100, 2));
        bench.receiptsRefused = new LinkException(LinkException.Code.UNREACHABLE, "not now");
        Publication older =
                bench.publisher.publish(bench.request(first).withName("x").withReceipts(1));
        Publication newer = bench.publisher.publish(bench.request(second).withName("x"));
        while (bench.link.asked() == 0) {
            Thread.onSpinWait();
        }

        // when
        bench.receiptsRefused = null;
        Bench.await(newer);

        // then
        assertThat(bench.link.offered().stream()
                        .filter(Manifest.class::isInstance)
                        .map(frame -> ((Manifest) frame).transfer().toString()))
                .containsExactly(older.transfer(), newer.transfer());
    }

    /** Of thousands that go on, each with many pieces, whoever publishes or asks need not wait for the count of them. */
    @Test
    @Timeout(Bench.PATIENCE_SECONDS)
    void shouldNotHoldUpOthersWhenPiecesOfAnEarlierProcessAreCounted() {
        // given
        for (String file : List.of("direct", "spooled")) {
            bench.link.weather(MemoryLink.Weather.UNACKNOWLEDGED);
            PublishRequest request = bench.request(bench.file(file, Bench.bytes(3 * Bench.PIECE, 1)));
            bench.publisher.publish(file.equals("spooled") ? request.withSpool(true) : request);
            while (bench.link.inFlight() < 4) {
                Thread.onSpinWait();
            }
            bench.restart();
        }
        CountDownLatch counted = new CountDownLatch(1);
        bench.order.whenPiecesAreRead = () -> awaitLatch(counted);

        // when
        List<Publication> resumed = bench.publisher.resumeAll();
        resumed.forEach(
                each -> assertThat(bench.publisher.find(each.transfer())).isPresent());
        counted.countDown();

        // then
        assertThat(resumed).hasSize(2).allSatisfy(Bench::await);
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
