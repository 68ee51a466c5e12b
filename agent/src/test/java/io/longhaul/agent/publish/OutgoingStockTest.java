package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.repair.OutgoingStock;
import io.longhaul.agent.repair.Stock;
import io.longhaul.storage.Direction;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.ReceiptRow;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.TransferId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutgoingStockTest {
    @TempDir
    Path directory;

    private Bench bench;
    private final List<String> notices = new ArrayList<>();
    private long nowNs;
    private Path file;
    private OutgoingStock stock;

    @BeforeEach
    void open() {
        bench = new Bench(directory);
        byte[] content = Bench.bytes(5 * Bench.PIECE + 9, 1);
        java.util.Arrays.fill(content, Bench.PIECE, 2 * Bench.PIECE, (byte) 0);
        file = bench.file("f", content);
        stock = new OutgoingStock(bench.store.ledger(), pieces(), () -> nowNs, notices::add);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private OutgoingPieces pieces() {
        return new OutgoingPieces(bench.store.ledger(), bench.store.spool());
    }

    @Test
    void shouldPromiseOnlyWhatTheLedgerKnowsWhenRowsAreMissing() {
        // given
        bench.publish(file);
        TransferRow row = bench.rows().get(0);
        Stock.Item item = stock.find(TransferId.parse(row.transferId())).orElseThrow();
        assertThat(stock.through(item)).isEqualTo(Long.MAX_VALUE);

        // when
        bench.store
                .ledger()
                .commit(List.of(new LedgerChange.DeletePieces(row.key(), List.of(3L))))
                .join();

        // then
        assertThat(stock.through(item)).isEqualTo(3);
    }

    /** The others may lack pieces, and may have been promised them. */
    @Test
    void shouldGoOnToOfferWhatFailedByTheReceiptOfOneSubscription() {
        // given
        bench.publish(file);
        TransferRow row = bench.rows().get(0).withState(TransferState.FAILED);
        Receipt receipt = new Receipt(
                TransferId.parse(row.transferId()),
                row.topic(),
                "one",
                "agent",
                Receipt.Outcome.FAILED,
                0,
                "",
                "",
                1,
                "no room",
                Optional.empty());

        // when
        bench.store.ledger().commit(List.of(new LedgerChange.PutTransfer(row))).join();
        assertThat(stock.find(receipt.transfer())).isEmpty();
        bench.store
                .ledger()
                .commit(List.of(new LedgerChange.PutReceipt(new ReceiptRow(
                        Direction.OUTGOING,
                        row.transferId(),
                        row.topic(),
                        receipt.subscription(),
                        1,
                        new String(FrameCodec.toJson(receipt), StandardCharsets.UTF_8)))))
                .join();

        // then
        assertThat(stock.isWhole(item())).isTrue();
        assertThat(stock.through(item())).isEqualTo(Long.MAX_VALUE);
    }

    private Stock.Item item() {
        return stock.find(TransferId.parse(bench.rows().get(0).transferId())).orElseThrow();
    }

    private void assertNotOffered(String why) {
        assertThat(stock.isWhole(item())).isFalse();
        assertThat(stock.through(item())).isZero();
        assertThat(stock.hold(item())).isFalse();
        assertThat(notices)
                .singleElement()
                .satisfies(line ->
                        assertThat(line).contains(item().row().transferId()).contains(why));
    }

    /** The first piece, which is a hole, tells nothing of it. */
    @Test
    void shouldOfferNothingWhenASourceThatBeginsWithAHoleWasChanged() throws IOException {
        // given
        byte[] content = Bench.bytes(3 * Bench.PIECE, 1);
        java.util.Arrays.fill(content, 0, Bench.PIECE, (byte) 0);
        Path hollow = bench.file("hollow", content);
        bench.publish(hollow);
        assertThat(stock.isWhole(item())).isTrue();

        // when
        Files.write(hollow, new byte[] {1}, StandardOpenOption.APPEND);

        // then
        assertNotOffered("changed");
    }

    @Test
    void shouldOfferNothingWhenTheLastFileOfATreeWasChanged() throws IOException {
        // given
        bench.file("tree/a", Bench.bytes(2 * Bench.PIECE, 1));
        Path last = bench.file("tree/z", Bench.bytes(2 * Bench.PIECE, 2));
        bench.publish(directory.resolve("tree"));
        assertThat(stock.through(item())).isEqualTo(Long.MAX_VALUE);

        // when
        Files.write(last, new byte[] {1}, StandardOpenOption.APPEND);

        // then
        assertNotOffered("z");
    }

    @Test
    void shouldOfferAgainWhenTheSourceIsBackAfterAWhile() throws IOException {
        // given
        bench.file("tree/a", Bench.bytes(2 * Bench.PIECE, 1));
        Path tree = directory.resolve("tree");
        bench.publish(tree);
        Path away = Files.move(tree, directory.resolve("away"));
        assertNotOffered("does not exist");

        // when
        Files.move(away, tree);
        assertThat(stock.isWhole(item())).isFalse();
        nowNs += 60_000_000_000L;

        // then
        assertThat(stock.isWhole(item())).isTrue();
    }

    /** Its names and times tell nothing of it: whoever is refused must not be offered the same again at once. */
    @Test
    void shouldOfferNothingForAWhileWhenAPieceOfATreeCouldNotBeServed() throws IOException {
        // given
        Path big = bench.file("tree/big", Bench.bytes(3 * Bench.PIECE, 1));
        bench.publish(directory.resolve("tree"));
        FileTime before = Files.getLastModifiedTime(big);
        Files.write(big, Bench.bytes(3 * Bench.PIECE, 2));
        Files.setLastModifiedTime(big, before);
        assertThat(stock.isWhole(item())).isTrue();

        // when
        assertThatThrownBy(() -> stock.read(item(), 2)).isInstanceOf(AgentException.class);

        // then
        assertNotOffered("CRC-32C");
        nowNs += 60_000_000_000L;
        assertThat(stock.isWhole(item())).isTrue();
    }

    /** Each look at the clock takes a second. */
    private OutgoingStock slowStock() {
        return new OutgoingStock(bench.store.ledger(), pieces(), () -> nowNs += 1_000_000_000L, notices::add);
    }

    @Test
    void shouldLookThroughATreeAgainOnlyAfterTenTimesAsLongAsThatTook() throws IOException {
        // given
        Path big = bench.file("tree/big", Bench.bytes(3 * Bench.PIECE, 1));
        bench.publish(directory.resolve("tree"));
        OutgoingStock slow = slowStock();
        assertThat(slow.isWhole(item())).isTrue();

        // when
        Files.write(big, new byte[] {1}, StandardOpenOption.APPEND);

        // then
        assertThat(slow.isWhole(item())).isTrue();
        nowNs += 10_000_000_000L;
        assertThat(slow.isWhole(item())).isFalse();
    }

    @Test
    void shouldLookThroughATreeAgainBeforeItIsPromised() throws IOException {
        // given
        Path big = bench.file("tree/big", Bench.bytes(3 * Bench.PIECE, 1));
        bench.publish(directory.resolve("tree"));
        OutgoingStock slow = slowStock();
        assertThat(slow.isWhole(item())).isTrue();
        assertThat(slow.through(item())).isEqualTo(Long.MAX_VALUE);

        // when
        Files.delete(big);

        // then
        assertThat(slow.through(item())).isZero();
        assertThat(slow.hold(item())).isFalse();
    }

    @Test
    void shouldNotOfferWhatWasFoundChangedWhileItsNamesWereLookedAt() throws IOException {
        // given
        bench.publish(file);
        AtomicInteger looks = new AtomicInteger();
        AtomicReference<OutgoingStock> own = new AtomicReference<>();
        OutgoingStock busy = new OutgoingStock(
                bench.store.ledger(),
                pieces(),
                () -> {
                    if (looks.getAndIncrement() == 0) {
                        assertThatThrownBy(() -> own.get().read(item(), 0)).hasMessageContaining("CRC-32C");
                    }
                    return nowNs;
                },
                notices::add);
        own.set(busy);

        // when
        FileTime before = Files.getLastModifiedTime(file);
        Files.write(file, Bench.bytes(5 * Bench.PIECE + 9, 2));
        Files.setLastModifiedTime(file, before);

        // then
        assertThat(busy.isWhole(item())).isFalse();
        assertThat(busy.isWhole(item())).isFalse();
    }

    /** It is another's permission, or another name of it, that changes; its bytes are compared when they are served. */
    @Test
    void shouldServeWhenOnlyTheAttributesOfASourceWereChanged() throws IOException {
        // given
        bench.publish(file);

        // when
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
        Files.createLink(directory.resolve("backup"), file);

        // then
        assertThat(stock.isWhole(item())).isTrue();
        assertThat(stock.read(item(), 2).body().remaining()).isEqualTo(Bench.PIECE);
    }

    @Test
    void shouldGoOnToOfferWhenAPieceThatIsNotReadYetWasAskedFor() {
        // given
        bench.publish(file);

        // when
        assertThatThrownBy(() -> stock.read(item(), 99)).isInstanceOf(AgentException.class);

        // then
        assertThat(stock.isWhole(item())).isTrue();
        assertThat(notices).isEmpty();
    }
}
