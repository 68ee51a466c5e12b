package io.longhaul.storage.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.ReceiptLink;
import io.longhaul.storage.ReceiptRow;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReceiptQueriesTest {
    private static final int RECEIPTS = 500;
    private static final Pattern SCANNED = Pattern.compile("scanCount: (\\d+)");

    @TempDir
    Path dir;

    private LedgerFile ledger;

    @BeforeEach
    void giveManyReceipts() throws Exception {
        Path file = dir.resolve("ledger.mv.db");
        BlockFile.create(file, Disk.real(), 1);
        ledger = LedgerFile.openDatabase(file, BlockFile.open(file, Disk.real()).file(), Schema.VERSION, List.of());
        Connection writing = ledger.database().writing();
        ChangeWriter writer = new ChangeWriter(writing, new Purge(writing), Set.of(), 0);
        for (int i = 1; i <= RECEIPTS; i++) {
            writer.apply(new LedgerChange.AppendReceipt(
                    new ReceiptRow(Direction.INCOMING, "transfer" + i, "topic", "s", i, ""),
                    (number, previous) -> new ReceiptLink.Linked("{}", "hash" + number)));
        }
        writing.commit();
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    @Test
    void shouldFindThePlaceBeforeANumberWithOneLook() {
        assertThat(scanned(Rows.PLACE_BEFORE, Long.MAX_VALUE)).isLessThan(5);
        assertThat(scanned(Rows.PLACE_BEFORE, RECEIPTS - 5)).isLessThan(5);
    }

    @Test
    void shouldReadAReceiptByTheNumberOfItsRow() {
        ReceiptsByTime receipts = ReceiptsByTime.of(ledger.database(), Direction.INCOMING);
        assertThat(scanned(receipts.receiptQuery(), RECEIPTS / 2)).isLessThan(5);
        assertThat(scanned(receipts.placesQuery(), RECEIPTS - 5)).isLessThan(10);
    }

    /** Returns how many rows H2 looked at. */
    private int scanned(String query, Object... arguments) {
        String plan = ledger.database()
                .query(row -> row.getString(1), "EXPLAIN ANALYZE " + query, arguments)
                .get(0);
        Matcher each = SCANNED.matcher(plan);
        assertThat(each.find()).as(plan).isTrue();
        return each.reset()
                .results()
                .mapToInt(found -> Integer.parseInt(found.group(1)))
                .sum();
    }
}
