package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.link.LinkException;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Addresses;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PublisherStoppedStreamTest extends OneBench {
    @Test
    @Timeout(Bench.PATIENCE_SECONDS)
    void shouldSayThatNothingIsKeptWhenClosedBeforeTheStreamEnds() throws IOException {
        // given
        Publication publication;
        try (PipedInputStream endless = new PipedInputStream();
                PipedOutputStream writer = new PipedOutputStream(endless)) {
            publication = bench.publisher.publish(
                    PublishRequest.of(endless, "piped", Bench.TOPIC).withPieceSize(Bench.PIECE));
            writer.write(new byte[900]);

            // when
            bench.restart();
        }

        // then
        AgentException failure = Bench.failure(publication);
        assertThat(failure.code()).isEqualTo(AgentException.Code.INTERRUPTED);
        assertThat(failure).hasMessageContaining("stopped before the end of the stream, of which nothing is kept");
    }

    @Test
    @Timeout(Bench.PATIENCE_SECONDS)
    void shouldEndWhatAKilledProcessHasReadOfAStreamWhenItIsPublishedAnew() throws IOException {
        // given
        TransferRow cutOff;
        try (PipedInputStream endless = new PipedInputStream();
                PipedOutputStream writer = new PipedOutputStream(endless)) {
            bench.publisher.publish(
                    PublishRequest.of(endless, "piped", Bench.TOPIC).withPieceSize(Bench.PIECE));
            writer.write(new byte[900]);
            while (bench.rows().isEmpty()) {
                Thread.onSpinWait();
            }
            cutOff = bench.rows().get(0);
            bench.restart();
        }
        // as a kill leaves it
        bench.store
                .ledger()
                .commit(List.of(new LedgerChange.PutTransfer(cutOff)))
                .join();
        bench.restart();

        // when
        Bench.await(
                bench.publisher.publish(PublishRequest.of(new ByteArrayInputStream(new byte[10]), "piped", Bench.TOPIC)
                        .withPieceSize(Bench.PIECE)));
        while (bench.rows().get(0).state() == TransferState.SENDING) {
            Thread.onSpinWait();
        }

        // then
        assertThat(bench.rows())
                .extracting(TransferRow::state)
                .containsExactly(TransferState.FAILED, TransferState.COMPLETED);
        assertThat(bench.rows().get(0).detail()).contains("the stream ended with the process that read it");
    }

    @Test
    @Timeout(Bench.PATIENCE_SECONDS)
    void shouldKeepAllOfAStreamWhenALimitRefusesItBeforeItsEnd() throws IOException {
        // given
        byte[] content = Bench.bytes(400_000, 8);
        bench.network.refuse(Addresses.topic(Bench.TOPIC), new LinkException(LinkException.Code.QUOTA, "transfers"));
        Publication publication;
        PipedInputStream piped = new PipedInputStream();
        try (PipedOutputStream writer = new PipedOutputStream(piped)) {
            publication = bench.publisher.publish(
                    PublishRequest.of(piped, "piped", Bench.TOPIC).withPieceSize(Bench.PIECE));
            writer.write(content, 0, 200_000);
            while (bench.network.refused() < 1) {
                Thread.onSpinWait();
            }

            // when
            writer.write(content, 200_000, 200_000);
        }

        // then
        assertThat(Bench.failure(publication).code()).isEqualTo(AgentException.Code.REFUSED);
        assertThat(bench.rows().get(0).state()).isEqualTo(TransferState.SENDING);

        // when
        bench.network.allow(Addresses.topic(Bench.TOPIC));
        bench.publisher.resumeAll().forEach(Bench::await);

        // then
        assertThat(bench.received().file()).isEqualTo(content);
    }
}
