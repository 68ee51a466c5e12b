package io.longhaul.storage.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Disk;
import io.longhaul.storage.EntryRow;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PurgeTest {
    @TempDir
    Path dir;

    @Test
    void shouldRemoveAboutAsManyEntriesAsPiecesAtATime() throws Exception {
        try (LedgerFile ledger = LedgerFile.open(dir, Disk.real(), true, () -> 1, lost -> {})) {
            // given
            Purge purge = new Purge(ledger.database().writing());
            List<EntryRow> entries = new ArrayList<>();
            for (int number = 0; number < 3 * Purge.SLICE_ROWS; number++) {
                entries.add(new EntryRow(number, 0, new byte[40], new byte[32]));
            }
            new EntryTable(ledger.database().writing()).put(1, entries);

            // when
            purge.begin(1);

            // then
            assertThat(left(ledger)).isBetween(2 * Purge.SLICE_ROWS, 2 * Purge.SLICE_ROWS + EntryRun.MOST);
            while (purge.step()) {
                ledger.database().writing().commit();
            }
            assertThat(left(ledger)).isZero();
        }
    }

    private static int left(LedgerFile ledger) throws SQLException {
        return Database.query(
                        ledger.database().writing(),
                        row -> row.getInt(1),
                        "SELECT COALESCE(SUM(entries), 0) FROM entry")
                .get(0);
    }
}
