package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.link.MemoryLink;
import io.longhaul.storage.StorageException;
import io.longhaul.wire.Piece;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutgoingPiecesTest {
    @TempDir
    Path directory;

    private Bench bench;
    private Path file;

    @BeforeEach
    void open() {
        bench = new Bench(directory);
        byte[] content = Bench.bytes(5 * Bench.PIECE + 9, 1);
        java.util.Arrays.fill(content, Bench.PIECE, 2 * Bench.PIECE, (byte) 0);
        file = bench.file("f", content);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private OutgoingPieces pieces() {
        return new OutgoingPieces(bench.store.ledger(), bench.store.spool());
    }

    @Test
    void shouldMakeEveryPieceAgainWhenSourceIsUnchanged() {
        // given
        bench.publish(file);

        bench.received().pieces.forEach((index, sent) -> {
            // when
            Piece again = pieces().read(bench.rows().get(0), index);

            // then
            assertThat(again.header()).isEqualTo(sent.header());
            assertThat(again.body()).isEqualTo(sent.body());
        });
    }

    @Test
    void shouldRefuseWhenFileHasAnotherTimeOrIsGone() throws IOException {
        // given
        bench.publish(file);
        FileTime before = Files.getLastModifiedTime(file);

        // when
        Files.setLastModifiedTime(file, FileTime.fromMillis(before.toMillis() + 1_000));

        // then
        assertThatThrownBy(() -> pieces().read(bench.rows().get(0), 2))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("piece 2")
                .hasMessageContaining("changed");
        Files.delete(file);
        assertThatThrownBy(() -> pieces().read(bench.rows().get(0), 2)).isInstanceOf(AgentException.class);
    }

    @Test
    void shouldRefuseWhenTreeFileWasReplacedByLink() throws IOException {
        // given
        byte[] content = Bench.bytes(3 * Bench.PIECE, 4);
        Path inside = bench.file("top/big", content);
        Path twin = bench.file("twin", content);
        Files.setLastModifiedTime(twin, Files.getLastModifiedTime(inside));
        bench.publish(directory.resolve("top"));

        // when
        Files.delete(inside);
        Files.createSymbolicLink(inside, twin);

        // then
        assertThatThrownBy(() -> pieces().read(bench.rows().get(0), 1))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("symbolic link");
    }

    @Test
    void shouldRefusePieceThatTheLedgerDoesNotKnow() {
        // given
        bench.publish(file);

        // when
        assertThatThrownBy(() -> pieces().read(bench.rows().get(0), 99))
                // then
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("piece 99");
    }

    @Test
    void shouldNameSegmentAndChecksumsWhenSpoolIsDamagedAndSourceIsGone() throws IOException {
        // given
        bench.link.weather(MemoryLink.Weather.STALLED);
        Publication publication = bench.publisher.publish(bench.request(file).withSpool(true));
        Bench.await(publication.spooled());
        // manifest, six pieces and seal: sent from the spool, a damaged piece would end the transfer
        while (bench.link.inFlight() < 8) {
            Thread.onSpinWait();
        }
        Path segment = directory.resolve("data/spool/segment-0");
        Files.write(segment, new byte[(int) Files.size(segment)]);
        Files.delete(file);

        // when
        assertThatThrownBy(() -> pieces().read(bench.rows().get(0), 3))
                // then
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("piece 3 of transfer " + publication.transfer())
                .hasMessageContaining("damaged in the spool, " + segment + " at ")
                .hasMessageContaining(": expected CRC-32C ")
                .hasMessageContaining("does not exist");
    }

    @Test
    void shouldReadFromTheSpoolWhenSourceIsGone() throws IOException {
        // given
        bench.link.weather(MemoryLink.Weather.STALLED);
        Publication publication = bench.publisher.publish(bench.request(file).withSpool(true));
        Bench.await(publication.spooled());
        byte[] content = Files.readAllBytes(file);
        Files.delete(file);

        // when
        Piece piece = pieces().read(bench.rows().get(0), 3);

        // then
        byte[] body = new byte[piece.body().remaining()];
        piece.body().get(body);
        assertThat(body).isEqualTo(java.util.Arrays.copyOfRange(content, 3 * Bench.PIECE, 4 * Bench.PIECE));
    }

    @Test
    void shouldGoOnWithWhatWasSpooledWhenItCouldNotBeReadOnce() {
        // given
        byte[] content = Bench.bytes(20 * Bench.PIECE, 9);
        bench.order.unreadable = new StorageException(StorageException.Code.IO, "read segment-0: Stale file handle");
        Publication publication =
                bench.publisher.publish(PublishRequest.of(new ByteArrayInputStream(content), "f", Bench.TOPIC)
                        .withPieceSize(Bench.PIECE));
        assertThat(Bench.failure(publication))
                .hasMessageContaining("piece 0")
                .hasMessageContaining("read segment-0: Stale file handle");

        // when
        bench.restart();
        Bench.await(bench.publisher.resumeAll().get(0));

        // then
        assertThat(bench.received().file()).isEqualTo(content);
    }
}
