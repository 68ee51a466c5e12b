package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.storage.ledger.LedgerVandal;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chain of receipts given, what is kept of those taken, and what was promised. */
class LedgerReceiptsTest {
    private static final StoreConfig CONFIG = new StoreConfig(4096, 64 * 1024, Long.MAX_VALUE, 0);

    @TempDir
    Path dir;

    private Store store;
    private Ledger ledger;

    @BeforeEach
    void openStore() {
        store = Store.open(dir, CONFIG, Disk.real());
        ledger = store.ledger();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    private void commit(LedgerChange... changes) {
        ledger.commit(List.of(changes)).join();
    }

    private static LedgerChange append(String transferId) {
        return new LedgerChange.AppendReceipt(
                new ReceiptRow(Direction.INCOMING, transferId, "topic", "s", 7, ""),
                (number, previous) -> new ReceiptLink.Linked(number + " after " + previous, "hash " + number));
    }

    private List<String> given() {
        return ReceiptRows.of(ledger, Direction.INCOMING).stream()
                .map(ReceiptRow::receipt)
                .toList();
    }

    @Test
    void shouldGiveEachReceiptTheNextPlaceOfTheChainAndNoneTwice() {
        // when
        commit(append("a"), append("b"));
        commit(append("a"));
        store.close();
        openStore();
        commit(append("b"), append("c"));

        // then
        assertThat(given()).containsExactly("1 after ", "2 after hash 1", "3 after hash 2");
        assertThat(ledger.receiptChainEnd()).contains(new ReceiptPlace(3, "hash 3"));
    }

    @Test
    void shouldTakeNoPlaceInTheChainWhenTheCommitFails() {
        // given
        commit(append("a"));
        LedgerChange unsigned = new LedgerChange.AppendReceipt(
                new ReceiptRow(Direction.INCOMING, "c", "t", "s", 7, ""), (number, p) -> {
                    throw new IllegalStateException("no key");
                });

        // when
        List<CompletableFuture<Void>> refused = List.of(
                ledger.commit(List.of(append("b"), new LedgerChange.PutPieces(-5, List.of(Samples.durable(0))))),
                ledger.commit(List.of(unsigned)));
        commit(append("d"));

        // then
        refused.forEach(each -> assertThatThrownBy(each::join).hasCauseInstanceOf(StorageException.class));
        assertThat(given()).containsExactly("1 after ", "2 after hash 1");
    }

    @Test
    void shouldAnswerEverybodyWhenOneChangeMeetsAnErrorOfTheMachine() {
        // given
        LedgerChange hungry = new LedgerChange.AppendReceipt(
                new ReceiptRow(Direction.INCOMING, "a", "t", "s", 7, ""), (number, p) -> {
                    throw new OutOfMemoryError("expected by the test");
                });

        // when
        CompletableFuture<Void> refused = ledger.commit(List.of(hungry)).orTimeout(30, TimeUnit.SECONDS);

        // then
        assertThatThrownBy(refused::join)
                .hasCauseInstanceOf(StorageException.class)
                .hasMessageContaining("expected by the test");
        ledger.commit(List.of(append("b"))).orTimeout(30, TimeUnit.SECONDS).join();
        assertThat(given()).containsExactly("1 after ");
    }

    @Test
    void shouldFindTheEndOfTheChainWhenOnlyTheReceiptsAreLeft() {
        // given
        commit(append("a"), append("b"));
        store.close();
        LedgerVandal.run(dir, "DELETE FROM receipt_chain");

        // when
        openStore();
        commit(append("c"));

        // then
        assertThat(given()).endsWith("3 after hash 2");
    }

    @Test
    void shouldKeepReceiptsWhenTheirTransferIsDeleted() {
        // given
        commit(new LedgerChange.PutTransfer(Samples.incoming(1, "a", "n", 1, TransferState.RECEIPTED)), append("a"));
        commit(
                new LedgerChange.PutTransfer(Samples.outgoing(2, "b")),
                new LedgerChange.PutReceipt(new ReceiptRow(Direction.OUTGOING, "b", "topic", "s", 5, "{}")));

        // when
        commit(new LedgerChange.DeleteTransfer(1), new LedgerChange.DeleteTransfer(2));
        store.close();
        openStore();

        // then
        assertThat(ledger.transfers(Direction.INCOMING)).isEmpty();
        assertThat(given()).containsExactly("1 after ");
        assertThat(ReceiptRows.of(ledger, Direction.OUTGOING)).hasSize(1);
    }

    @Test
    void shouldKeepFirstRefusedReceiptAndKeysBesideTheReceipts() {
        // given
        ReceiptRow refused = new ReceiptRow(Direction.OUTGOING, "t", "topic", "s", 5, "{\"n\":1}");
        ReceiptRow second = new ReceiptRow(Direction.OUTGOING, "t", "topic", "s", 6, "{\"n\":2}");
        ReceiptKeyRow key = new ReceiptKeyRow("topic", "s", "aa", 5);

        // when
        commit(
                new LedgerChange.PutRefusedReceipt(refused),
                new LedgerChange.PutRefusedReceipt(second),
                new LedgerChange.PutReceipt(second),
                new LedgerChange.PutReceiptKey(new ReceiptKeyRow("topic", "s", "aa", 2)),
                new LedgerChange.PutReceiptKey(key),
                new LedgerChange.PutReceiptKey(new ReceiptKeyRow("topic", "s", "bb", 9)),
                new LedgerChange.PutReceiptKey(ReceiptKeyRow.own("cc", 1)));

        // then
        assertThat(ReceiptRows.refused(ledger)).containsExactly(refused);
        assertThat(ReceiptRows.of(ledger, Direction.OUTGOING)).containsExactly(second);
        assertThat(ledger.receiptKeys("topic", "s")).containsExactly(key, new ReceiptKeyRow("topic", "s", "bb", 9));
        assertThat(ledger.receiptKeys("", "")).containsExactly(ReceiptKeyRow.own("cc", 1));
    }

    @Test
    void shouldKeepFirstReceiptAndWidestLease() {
        // given
        ReceiptRow first = new ReceiptRow(Direction.OUTGOING, "t", "topic", "s", 5, "{\"n\":1}");
        ReceiptRow second = new ReceiptRow(Direction.OUTGOING, "t", "topic", "s", 9, "{\"n\":2}");
        ReceiptRow given = new ReceiptRow(Direction.INCOMING, "t", "topic", "s", 7, "{\"n\":3}");

        // when
        commit(
                new LedgerChange.PutReceipt(first),
                new LedgerChange.PutReceipt(second),
                new LedgerChange.PutReceipt(given),
                new LedgerChange.PutLease(new LeaseRow("t", "topic", "s", 10, 1)),
                new LedgerChange.PutLease(new LeaseRow("t", "topic", "s", 4, 2)),
                new LedgerChange.PutLease(new LeaseRow("t", "topic", "s2", 4, 3)),
                new LedgerChange.PutLease(new LeaseRow("t", "topic", "s3", Long.MAX_VALUE, 4)),
                new LedgerChange.DeleteLease("t", "s2"));

        // then
        assertThat(ReceiptRows.of(ledger, Direction.OUTGOING)).containsExactly(first);
        assertThat(ledger.receipts(Direction.INCOMING, "t")).containsExactly(given);
        assertThat(ledger.receipts(Direction.INCOMING, "u")).isEmpty();
        assertThat(ledger.leases())
                .containsExactly(
                        new LeaseRow("t", "topic", "s", 10, 1), new LeaseRow("t", "topic", "s3", Long.MAX_VALUE, 4));
    }

    @Test
    void shouldFindTheLeasesOfOneTransfer() {
        // given
        LeaseRow first = new LeaseRow("t", "topic", "s2", 4, 1);
        LeaseRow second = new LeaseRow("t", "topic", "s", 10, 2);

        // when
        commit(
                new LedgerChange.PutLease(second),
                new LedgerChange.PutLease(new LeaseRow("u", "topic", "s", 4, 1)),
                new LedgerChange.PutLease(first));

        // then
        assertThat(ledger.leases("t")).containsExactly(first, second);
        assertThat(ledger.leases("v")).isEmpty();
    }
}
