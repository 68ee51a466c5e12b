package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.Publication;
import io.longhaul.agent.link.MemoryLink;
import io.longhaul.storage.TransferState;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The same request again in the process that runs it. */
class PublisherTwiceTest extends OneBench {
    private static final int PIECES = 60;

    private Publication running(Path source) {
        bench.link.weather(MemoryLink.Weather.STALLED);
        Publication publication = bench.publisher.publish(bench.request(source));
        while (bench.link.inFlight() == 0) {
            Thread.onSpinWait();
        }
        return publication;
    }

    @Test
    void shouldReturnTheSameHandleWhenRequestIsRunning() {
        // given
        Path file = bench.file("f", Bench.bytes(PIECES * Bench.PIECE, 2));
        Publication publication = running(file);

        // when
        Publication again = bench.publisher.publish(bench.request(file));

        // then
        assertThat(again).isSameAs(publication);
        assertThat(bench.publisher.find(publication.transfer())).containsSame(publication);
    }

    @Test
    void shouldBeginAnewWhenTheRunningOneWasGivenUp() {
        // given
        Path file = bench.file("f", Bench.bytes(PIECES * Bench.PIECE, 2));
        Publication given = running(file);
        given.cancel(); // receivers are told of it, which takes as long as the network does

        // when
        Publication anew = bench.publisher.publish(bench.request(file));
        bench.link.weather(MemoryLink.Weather.FAIR);

        // then
        assertThat(anew.transfer()).isNotEqualTo(given.transfer());
        Bench.await(anew);
        assertThat(Bench.failure(given)).hasMessageContaining("cancelled");
        assertThat(bench.rows())
                .extracting(row -> row.state())
                .containsExactly(TransferState.CANCELLED, TransferState.COMPLETED);
    }
}
