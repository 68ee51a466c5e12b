package io.longhaul.storage.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Direction;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.ReceiptLink;
import io.longhaul.storage.ReceiptRow;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReceiptQueriesTest {
    private static final int RECEIPTS = 500;

    @TempDir
    Path dir;

    private CrowdedLedger ledger;

    @BeforeEach
    void giveManyReceipts() throws Exception {
        ledger = CrowdedLedger.of(
                dir,
                RECEIPTS,
                i -> new LedgerChange.AppendReceipt(
                        new ReceiptRow(Direction.INCOMING, "transfer" + i, "topic", "s", i, ""),
                        (number, previous) -> new ReceiptLink.Linked("{}", "hash" + number)));
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    @Test
    void shouldFindThePlaceBeforeANumberWithOneLook() {
        assertThat(ledger.scanned(Rows.PLACE_BEFORE, Long.MAX_VALUE)).isLessThan(5);
        assertThat(ledger.scanned(Rows.PLACE_BEFORE, RECEIPTS - 5)).isLessThan(5);
    }

    @Test
    void shouldReadAReceiptByTheNumberOfItsRow() {
        ReceiptsByTime receipts = ReceiptsByTime.of(ledger.database(), Direction.INCOMING);
        assertThat(ledger.scanned(receipts.receiptQuery(), RECEIPTS / 2)).isLessThan(5);
        assertThat(ledger.scanned(receipts.placesQuery(), RECEIPTS - 5)).isLessThan(10);
    }
}
