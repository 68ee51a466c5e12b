package io.longhaul.storage.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Disk;
import io.longhaul.storage.LedgerChange;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A ledger with many rows, of which few should be looked at. */
final class CrowdedLedger implements AutoCloseable {
    private static final Pattern SCANNED = Pattern.compile("scanCount: (\\d+)");

    private final LedgerFile ledger;

    private CrowdedLedger(LedgerFile ledger) {
        this.ledger = ledger;
    }

    /** Makes one of so many changes, counted from 1. */
    static CrowdedLedger of(Path dir, int count, IntFunction<LedgerChange> change) throws Exception {
        Path file = dir.resolve("ledger.mv.db");
        BlockFile.create(file, Disk.real(), 1);
        LedgerFile ledger =
                LedgerFile.openDatabase(file, BlockFile.open(file, Disk.real()).file(), Schema.VERSION, List.of());
        Connection writing = ledger.database().writing();
        ChangeWriter writer = new ChangeWriter(writing, new Purge(writing), Set.of(), 0);
        for (int i = 1; i <= count; i++) {
            writer.apply(change.apply(i));
        }
        writing.commit();
        return new CrowdedLedger(ledger);
    }

    Database database() {
        return ledger.database();
    }

    /** Returns how many rows H2 looked at. */
    int scanned(String query, Object... arguments) {
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

    @Override
    public void close() {
        ledger.close();
    }
}
