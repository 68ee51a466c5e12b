package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.link.MemoryLink;
import io.longhaul.storage.Disk;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.StoreConfig;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a publication takes of the spool, and gives back. */
class PublisherSlotsTest extends OneBench {
    private PublishRequest stream(byte[] content) {
        return PublishRequest.of(new ByteArrayInputStream(content), "piped", Bench.TOPIC)
                .withPieceSize(Bench.PIECE);
    }

    @Test
    void shouldFreeTheSpoolWhenPiecesAreSafe() {
        // given
        bench.close();
        bench = new Bench(
                directory.resolve("small"),
                new StoreConfig(Bench.PIECE, 8L * Bench.PIECE, 16L * Bench.PIECE, 0),
                4 * Bench.PIECE);
        byte[] content = Bench.bytes(100 * Bench.PIECE, 10);

        // when
        Publication publication = bench.publisher.publish(stream(content));
        bench.passUntilOver(publication);

        // then
        Bench.await(publication);
        assertThat(bench.received().file()).isEqualTo(content);
    }

    @Test
    void shouldGiveNobodySlotsThatACommitMayHaveRecordedThoughItFailed() {
        // given
        bench.close();
        Order order = new Order();
        bench = new Bench(directory.resolve("doubtful"), Disk.real(), order);
        bench.link.weather(MemoryLink.Weather.STALLED);
        Path file = bench.file("f", Bench.bytes(20 * Bench.PIECE, 3));
        order.doubt = new StorageException(StorageException.Code.IO, "sync failed");
        assertThat(Bench.failure(bench.publisher.publish(bench.request(file).withSpool(true))))
                .hasMessageContaining("sync failed");

        // when
        Bench.await(bench.publisher
                .publish(stream(Bench.bytes(20 * Bench.PIECE, 4)))
                .spooled());

        // then
        List<Long> slots = new ArrayList<>();
        bench.rows()
                .forEach(
                        row -> bench.store.ledger().forEachPiece(row.key(), piece -> slots.add(piece.spoolPosition())));
        assertThat(slots).hasSizeGreaterThan(20).doesNotHaveDuplicates();
    }

    @Test
    @Timeout(Bench.PATIENCE_SECONDS)
    void shouldGiveSlotsBackWhenItIsCancelledWhileTheLedgerHasNoRoom() {
        // given
        bench.close();
        Order order = new Order();
        StoreConfig config = new StoreConfig(Bench.PIECE, 8L * Bench.PIECE, 16L * Bench.PIECE, 0);
        bench = new Bench(directory.resolve("full"), config, 4 * Bench.PIECE, Disk.real(), order);
        bench.link.weather(MemoryLink.Weather.DOWN);
        order.noRoomForPieces = new StorageException(StorageException.Code.NO_SPACE, "no space for the ledger");
        Publication publication = bench.publisher.publish(stream(Bench.bytes(8 * Bench.PIECE, 3)));
        while (bench.notices.isEmpty()) {
            Thread.onSpinWait();
        }

        // when
        publication.cancel();
        Bench.failure(publication);
        order.noRoomForPieces = null;

        // then
        Bench.await(bench.publisher
                .publish(stream(Bench.bytes(16 * Bench.PIECE, 4)).withName("other"))
                .spooled());
    }

    @Test
    void shouldRefuseAtOnceWhenTheQuotaIsLessThanAPiece() {
        // given
        bench.close();
        bench = new Bench(
                directory.resolve("none"),
                new StoreConfig(Bench.PIECE, 8L * Bench.PIECE, Bench.PIECE - 1, 0),
                4 * Bench.PIECE);
        bench.link.weather(MemoryLink.Weather.DOWN); // a slow start would look like a silent stream, and be announced

        // when
        AgentException failure = Bench.failure(bench.publisher.publish(stream(new byte[] {1})));

        // then
        assertThat(failure.code()).isEqualTo(AgentException.Code.REFUSED);
        assertThat(failure)
                .hasMessageContaining("needed " + Bench.PIECE + " bytes")
                .hasMessageContaining("of the quota of " + (Bench.PIECE - 1) + " bytes");
        assertThat(bench.rows()).isEmpty();
    }

    @Test
    void shouldRefusePieceSizeWhenSpoolHasSmallerSlots() {
        // given
        PublishRequest request = stream(new byte[1]).withPieceSize(128 * 1024);

        // when
        assertThatThrownBy(() -> bench.publisher.publish(request))
                // then
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("piece size");
    }
}
