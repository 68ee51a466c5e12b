package io.longhaul.storage.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Disk;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.Samples;
import io.longhaul.storage.TransferState;
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

class TransferIndexTest {
    private static final int TRANSFERS = 500;
    private static final int UNFINISHED = 5;
    private static final Pattern SCANNED = Pattern.compile("scanCount: (\\d+)");

    @TempDir
    Path dir;

    private LedgerFile ledger;

    @BeforeEach
    void putManyTransfersOfOneName() throws Exception {
        Path file = dir.resolve("ledger.mv.db");
        BlockFile.create(file, Disk.real(), 1);
        ledger = LedgerFile.openDatabase(file, BlockFile.open(file, Disk.real()).file(), Schema.VERSION, List.of());
        Connection writing = ledger.database().writing();
        ChangeWriter writer = new ChangeWriter(writing, new Purge(writing), Set.of(), 0);
        for (int i = 1; i <= TRANSFERS; i++) {
            TransferState state = i <= UNFINISHED ? TransferState.RECEIVING : TransferState.RECEIPTED;
            writer.apply(new LedgerChange.PutTransfer(Samples.incoming(i, "t" + i, "n", i, state)));
        }
        writing.commit();
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    @Test
    void shouldFindTheLatestDeliveredOfANameWithOneLook() {
        assertThat(scanned(Rows.LATEST_DELIVERED, "climate.daily", "s1", "n")).isLessThan(5);
    }

    @Test
    void shouldReadUnfinishedTransfersOnly() {
        String query = Rows.transfersIn(Set.of(TransferState.RECEIVING, TransferState.PLACING));
        assertThat(scanned(query, "climate.daily", "s1")).isBetween(UNFINISHED, UNFINISHED + 5);
    }

    @Test
    void shouldTellPlacesByTheIndexAlone() {
        assertThat(scanned(Rows.PLACES, "climate.daily", "s1", "RECEIVING")).isBetween(UNFINISHED, UNFINISHED + 5);
        assertThat(scanned(Rows.FIRST_TOPIC, "climate")).isLessThan(5);
        assertThat(scanned(Rows.FIRST_TOPIC, "climate.daily" + '\0')).isLessThan(5);
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
