package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublicationResult;
import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.MemoryLink;
import io.longhaul.storage.Disk;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Addresses;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublisherSpoolTest extends OneBench {
    private PublishRequest stream(byte[] content) {
        return PublishRequest.of(new ByteArrayInputStream(content), "piped", Bench.TOPIC)
                .withPieceSize(Bench.PIECE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, Bench.PIECE, Bench.PIECE + 1, 777_777})
    void shouldSendExactlyTheBytesWhenTheyComeFromAStream(int length) {
        // given
        byte[] content = Bench.bytes(length, 5);

        // when
        Publication publication = bench.publisher.publish(stream(content));
        Bench.await(publication.spooled());
        PublicationResult result = Bench.await(publication);

        // then
        assertThat(bench.received().file()).isEqualTo(content);
        assertThat(bench.received().manifest().length()).isEqualTo(-1);
        assertThat(result.length()).isEqualTo(length);
        assertThat(bench.rows().get(0).state()).isEqualTo(TransferState.COMPLETED);
    }

    @Test
    void shouldSendFromTheSpoolWhenSourceVanishedAndProcessWasKilled() throws IOException {
        // given
        byte[] content = Bench.bytes(200_000, 6);
        Path file = bench.file("f", content);
        Publication publication = spooledAndGone(file);

        // when
        bench.restart();
        Publication resumed = bench.publisher.resumeAll().get(0);

        // then
        Bench.await(resumed.spooled());
        Bench.await(resumed);
        assertThat(resumed.transfer()).isEqualTo(publication.transfer());
        assertThat(bench.received().file()).isEqualTo(content);
    }

    /** Publishes into the spool while nothing gets through, and removes the source. */
    private Publication spooledAndGone(Path file) throws IOException {
        bench.link.weather(MemoryLink.Weather.STALLED);
        Publication publication = bench.publisher.publish(bench.request(file).withSpool(true));
        Bench.await(publication.spooled());
        Files.delete(file);
        return publication;
    }

    @Test
    void shouldGoOnWhenRequestComesAgainAfterItsSourceVanished() throws IOException {
        // given
        byte[] content = Bench.bytes(100_000, 8);
        Path file = bench.file("f", content);
        Publication publication = spooledAndGone(file);

        // when
        bench.restart();
        Publication again = bench.publisher.publish(bench.request(file).withSpool(true));

        // then
        Bench.await(again);
        assertThat(again.transfer()).isEqualTo(publication.transfer());
        assertThat(bench.received().file()).isEqualTo(content);
    }

    @Test
    void shouldRefuseRequestWhenItsSourceVanishedBeforeItWasRead() throws IOException {
        // given
        Path file = bench.file("f", Bench.bytes(100_000, 9));
        bench.link.weather(MemoryLink.Weather.STALLED);
        bench.publisher.publish(bench.request(file));
        Files.delete(file);
        bench.restart();

        // when, then
        assertThatThrownBy(() -> bench.publisher.publish(bench.request(file)))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("does not exist");
    }

    @Test
    void shouldSpoolTreesWhenAskedTo() throws IOException {
        // given
        for (int i = 0; i < 100; i++) {
            bench.file("top/" + i % 7 + "/" + i, Bench.bytes(i * 90, i));
        }
        bench.link.weather(MemoryLink.Weather.STALLED);
        Publication publication =
                bench.publisher.publish(bench.request(directory.resolve("top")).withSpool(true));
        Bench.await(publication.spooled());
        try (Stream<Path> all = Files.walk(directory.resolve("top"))) {
            all.sorted(java.util.Comparator.reverseOrder())
                    .forEach(path -> path.toFile().delete());
        }

        // when
        bench.restart();
        bench.publisher.resumeAll().forEach(Bench::await);

        // then
        assertThat(bench.received().tree()).hasSize(100);
    }

    @Test
    void shouldGoOnFillingWhenProcessWasKilledHalfWay() {
        // given
        byte[] content = Bench.bytes(90 * Bench.PIECE, 7);
        Path file = bench.file("f", content);
        bench.link.weather(MemoryLink.Weather.STALLED);
        Publication publication = bench.publisher.publish(bench.request(file).withSpool(true));
        while (bench.rows().isEmpty()) {
            Thread.onSpinWait();
        }
        bench.restart();

        // when
        Publication again = bench.publisher.publish(bench.request(file).withSpool(true));

        // then
        Bench.await(again);
        assertThat(bench.received().file()).isEqualTo(content);
        assertThat(bench.rows()).hasSize(1);
        assertThat(again.transfer()).isEqualTo(publication.transfer());
    }

    @Test
    void shouldHoldUntilSomebodySubscribesWhenNobodyDoes() {
        // given
        byte[] content = Bench.bytes(50_000, 8);
        bench.link.unsubscribe(Bench.TOPIC, Bench.SUBSCRIPTION);
        Publication publication = bench.publisher.publish(stream(content));
        Bench.await(publication.spooled());
        while (bench.notices.isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(bench.link.offered()).isEmpty();
        assertThat(bench.notices.get(0))
                .contains("is held")
                .contains("nobody subscribes")
                .doesNotContain("with spool");

        // when
        bench.network.createSubscription(Bench.TOPIC, Bench.SUBSCRIPTION);
        bench.passUntilOver(publication);

        // then
        Bench.await(publication);
        assertThat(bench.received().file()).isEqualTo(content);
    }

    @Test
    void shouldRefuseAndLeaveNothingWhenMoreReceiptsAreWantedThanSubscriptionsKnown() {
        // when
        AgentException failure =
                Bench.failure(bench.publisher.publish(stream(new byte[10]).withReceipts(2)));

        // then
        assertThat(failure.code()).isEqualTo(AgentException.Code.REFUSED);
        assertThat(bench.rows()).isEmpty();
    }

    @Test
    void shouldWaitForTheBrokerOnceWhenManyAreSpooledInAnOutage() {
        // given
        bench.link.weather(MemoryLink.Weather.DOWN);

        // when
        for (int i = 0; i < 3; i++) {
            Path file = bench.file("f" + i, Bench.bytes(Bench.PIECE, i));
            Bench.await(bench.publisher
                    .publish(bench.request(file).withSpool(true).withReceipts(1))
                    .spooled());
            while (bench.delay.waiting() == 0) {
                Thread.onSpinWait();
            }
            bench.delay.fire(); // the one timer of all
        }

        // then
        assertThat(bench.link.waits()).isEqualTo(1);
        assertThat(bench.delay.waiting()).isEqualTo(1);
    }

    @Test
    void shouldKeepWhatWasSpooledWhenBrokerForbids() {
        // given
        byte[] content = Bench.bytes(50_000, 8);
        Path file = bench.file("f", content);
        bench.link.unsubscribe(Bench.TOPIC, Bench.SUBSCRIPTION);
        Publication publication = bench.publisher.publish(bench.request(file).withSpool(true));
        Bench.await(publication.spooled());
        bench.network.refuse(Addresses.topic(Bench.TOPIC), new LinkException(LinkException.Code.FORBIDDEN, "no"));
        bench.network.createSubscription(Bench.TOPIC, Bench.SUBSCRIPTION);
        bench.passUntilOver(publication);
        assertThat(Bench.failure(publication).code()).isEqualTo(AgentException.Code.REFUSED);
        assertThat(bench.rows().get(0).state()).isEqualTo(TransferState.SENDING);

        // when
        bench.network.allow(Addresses.topic(Bench.TOPIC));
        bench.publisher.resumeAll().forEach(Bench::await);

        // then
        assertThat(bench.received().file()).isEqualTo(content);
    }

    static Stream<Arguments> ends() {
        return Stream.of(
                Arguments.of(new IOException("peer reset"), "peer reset"),
                Arguments.of(new EOFException(), "EOFException"));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void shouldFailAndFreeTheSpoolWhenStreamBreaksOff(IOException end, String told) {
        // given
        InputStream broken = new InputStream() {
            private int left = 100_000;

            @Override
            public int read() throws IOException {
                if (left-- <= 0) {
                    throw end;
                }
                return 1;
            }
        };

        // when
        AgentException failure = Bench.failure(bench.publisher.publish(
                PublishRequest.of(broken, "piped", Bench.TOPIC).withPieceSize(Bench.PIECE)));

        // then
        assertThat(failure.code()).isEqualTo(AgentException.Code.TRANSFER_FAILED);
        assertThat(failure).hasMessageContaining("stream broke off").hasMessageEndingWith(told);
        assertThat(bench.rows().get(0).state()).isEqualTo(TransferState.FAILED);
        bench.store
                .ledger()
                .forEachPiece(
                        bench.rows().get(0).key(),
                        piece -> assertThat(piece.spoolPosition()).isEqualTo(-1));
    }

    /** A stream may be silent for hours. */
    @Test
    @Timeout(Bench.PATIENCE_SECONDS)
    void shouldSendWhatAStreamHasGivenBeforeItGoesOn() throws IOException {
        // given
        try (java.io.PipedInputStream slow = new java.io.PipedInputStream();
                java.io.PipedOutputStream writer = new java.io.PipedOutputStream(slow)) {
            Publication publication = bench.publisher.publish(
                    PublishRequest.of(slow, "piped", Bench.TOPIC).withPieceSize(Bench.PIECE));

            for (int i = 1; i <= 3; i++) {
                // when
                writer.write(Bench.bytes(Bench.PIECE, i));
                writer.flush();

                // then
                while (publication.progress().safeBytes() < (long) i * Bench.PIECE) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    @Test
    void shouldFailWhenProcessWasKilledBeforeStreamEnded() throws IOException {
        // given
        try (java.io.PipedInputStream endless = new java.io.PipedInputStream();
                java.io.PipedOutputStream writer = new java.io.PipedOutputStream(endless)) {
            Publication publication = bench.publisher.publish(
                    PublishRequest.of(endless, "piped", Bench.TOPIC).withPieceSize(Bench.PIECE));
            writer.write(new byte[900]);
            while (bench.rows().isEmpty()) {
                Thread.onSpinWait();
            }

            // when
            bench.restart();

            // then
            Bench.failure(publication);
            assertThat(bench.rows().get(0).state()).isEqualTo(TransferState.FAILED);
            assertThat(bench.publisher.resumeAll()).isEmpty();
        }
    }

    @Test
    void shouldReadFromSourceWhenSpoolIsDamaged() throws IOException {
        // given
        byte[] content = Bench.bytes(90 * Bench.PIECE, 9);
        Path file = bench.file("f", content);
        bench.link.unsubscribe(Bench.TOPIC, Bench.SUBSCRIPTION);
        Publication publication = bench.publisher.publish(bench.request(file).withSpool(true));
        Bench.await(publication.spooled());

        // when
        flipSpool();
        bench.network.createSubscription(Bench.TOPIC, Bench.SUBSCRIPTION);
        bench.passUntilOver(publication);

        // then
        Bench.await(publication);
        assertThat(bench.received().file()).isEqualTo(content);
    }

    @Test
    void shouldNeedItsSourceAgainWhenThePiecesInTheSpoolAreLost() throws IOException {
        // given
        Publication publication = spooledAndGone(bench.file("f", Bench.bytes(20 * Bench.PIECE, 9)));
        assertThat(publication.spooled()).isCompleted();

        // when
        Disk.real().deleteTree(directory.resolve("data/spool"));
        bench.restart();
        Publication resumed = bench.publisher.resumeAll().get(0);

        // then
        assertThat(Bench.failure(resumed))
                .hasMessageContaining("20 pieces of what was spooled cannot be had from the spool any more; source ")
                .hasMessageContaining("does not exist");
        assertThat(resumed.spooled()).isCompletedExceptionally();
    }

    @Test
    void shouldFailNamingPieceWhenSpoolOfStreamIsDamaged() throws IOException {
        // given
        bench.link.unsubscribe(Bench.TOPIC, Bench.SUBSCRIPTION);
        Publication publication = bench.publisher.publish(stream(Bench.bytes(20 * Bench.PIECE, 9)));
        Bench.await(publication.spooled());

        // when
        flipSpool();
        bench.network.createSubscription(Bench.TOPIC, Bench.SUBSCRIPTION);
        bench.passUntilOver(publication);

        // then
        assertThat(Bench.failure(publication))
                .hasMessageContaining("piece 0")
                .hasMessageContaining("damaged in the spool")
                .hasMessageContaining("segment-0 at 4096: expected CRC-32C ");
    }

    private void flipSpool() throws IOException {
        try (Stream<Path> segments = Files.list(directory.resolve("data/spool"))) {
            for (Path segment : segments.toList()) {
                byte[] bytes = Files.readAllBytes(segment);
                for (int at = 100; at < bytes.length; at += Bench.PIECE) {
                    bytes[at] ^= (byte) 0xFF;
                }
                try (RandomAccessFile damaged = new RandomAccessFile(segment.toFile(), "rw")) {
                    damaged.write(bytes);
                }
            }
        }
    }
}
