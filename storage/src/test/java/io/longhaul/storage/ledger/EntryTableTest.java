package io.longhaul.storage.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Disk;
import io.longhaul.storage.EntryRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EntryTableTest {
    @TempDir
    Path dir;

    @Test
    void shouldTakeFewRowsWhenEntriesAreMany() throws Exception {
        try (LedgerFile ledger = LedgerFile.open(dir, Disk.real(), true, () -> 1, lost -> {})) {
            // given
            EntryTable table = new EntryTable(ledger.database().writing());
            List<EntryRow> entries = new ArrayList<>();
            for (int number = 0; number < 1_000; number++) {
                entries.add(new EntryRow(number, number / 250, new byte[40], new byte[32]));
            }

            // when
            table.put(1, entries);
            table.put(1, entries.subList(0, 250));

            // then
            List<Integer> counts = Database.query(
                    ledger.database().writing(), row -> row.getInt(1), "SELECT entries FROM entry ORDER BY id");
            assertThat(counts).hasSize(16).endsWith(64, 64, 64, 58);
        }
    }
}
