package io.longhaul.storage.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.Samples;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import io.longhaul.storage.TransferRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SalvageTest {
    private static final StoreConfig CONFIG = new StoreConfig(4096, 64 * 1024, Long.MAX_VALUE, 0);
    private static final int ROWS = 600;
    /** Between the numbers of two rows, as between the pieces of two transfers. */
    private static final long GAP = 1_000_000;
    /** More than the rows of a page. */
    private static final int PAGE_ROWS = 20;

    @TempDir
    Path dir;

    @BeforeEach
    void fillLedger() {
        List<LedgerChange> rows = new ArrayList<>();
        for (int i = 1; i <= ROWS; i++) {
            rows.add(new LedgerChange.PutTransfer(row(i)));
        }
        try (Store store = Store.open(dir, CONFIG, Disk.real())) {
            store.ledger().commit(rows).join();
        }
    }

    /** So long that the blocks of a page hold nothing of another one. */
    private static TransferRow row(int number) {
        return Samples.outgoing(number * GAP, "no" + number + "!").withDetail("x".repeat(3_000));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 300, 598})
    void shouldLoseNoMoreRowsThanThoseOfTheDamagedPage(int damaged) throws IOException {
        // given
        damageBlocksWith("name-no" + damaged + "!");

        // when
        try (Store store = Store.open(dir, CONFIG, Disk.real())) {
            // then
            assertThat(store.findings().toString()).contains("ledger table transfer: ", "rows lost or unknown in");
            assertThat(store.ledger().transfers(Direction.OUTGOING))
                    .hasSizeBetween(ROWS - PAGE_ROWS, ROWS - 1)
                    .allMatch(found -> found.equals(row((int) (found.key() / GAP))));
        }
    }

    @Test
    void shouldGoOnRemovingWhatADeletedTransferLeaves() throws Exception {
        // given
        try (LedgerFile ledger = LedgerFile.open(dir, Disk.real(), false, () -> 1)) {
            ledger.database().execute("INSERT INTO purge VALUES (7)");
            ledger.database().writing().commit();
        }
        damageBlocksWith("name-no300!");

        // when
        try (LedgerFile ledger = LedgerFile.open(dir, Disk.real(), false, () -> 2)) {
            // then
            assertThat(ledger.findings().toString()).contains("rows recovered");
            assertThat(Database.query(ledger.database().writing(), row -> row.getLong(1), "SELECT id FROM purge"))
                    .containsExactly(7L);
        }
    }

    /** Wipes every block that holds the words, and the journal that could mend them. */
    private void damageBlocksWith(String words) throws IOException {
        Path ledger = dir.resolve("ledger.mv.db");
        byte[] bytes = Files.readAllBytes(ledger);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int found = text.indexOf(words);
        assertThat(found).isPositive();
        for (; found >= 0; found = text.indexOf(words, found + 1)) {
            int block = found / Block.BYTES * Block.BYTES;
            Arrays.fill(bytes, block, block + Block.BYTES, (byte) 0);
        }
        Files.write(ledger, bytes);
        Path journal = dir.resolve("ledger.mv.db.journal");
        byte[] nothing = new byte[(int) Files.size(journal)];
        Files.write(journal, nothing);
    }
}
