package io.longhaul.storage.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.EntryRow;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.ReceiptLink;
import io.longhaul.storage.ReceiptPlace;
import io.longhaul.storage.ReceiptRow;
import io.longhaul.storage.ReceiptRows;
import io.longhaul.storage.Samples;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.Store;
import io.longhaul.storage.TransferState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrationTest {
    @TempDir
    Path dir;

    @Test
    void shouldOpenStoreOfVersionOneWithAllThatIsInIt() throws IOException {
        // given
        unzip("/io/longhaul/storage/store-version-1.zip");

        // when
        try (Store store = Store.open(dir, OldStore.CONFIG, Disk.real())) {
            // then
            assertThat(store.findings()).isEmpty();
            assertThat(store.ledger().transfer(3)).contains(Samples.outgoing(3, "old"));
            assertThat(store.ledger().safePieces(3).stream()).containsExactly(0, 7);
            assertThat(store.ledger().setting("greeting")).contains("hello");
            PieceRow spooled = store.ledger().piece(3, 8).orElseThrow();
            ByteBuffer body = ByteBuffer.allocate(spooled.length());
            store.spool().read(spooled.spoolPosition(), body);
            assertThat(new String(body.array(), java.nio.charset.StandardCharsets.UTF_8))
                    .isEqualTo("spooled in an old store");
            long other = store.spool().write(ByteBuffer.allocate(10));
            assertThat(other).isNotEqualTo(spooled.spoolPosition());
            store.ledger()
                    .commit(List.of(new LedgerChange.PutPieces(3, List.of(Samples.spooled(9, new byte[10], other)))))
                    .join();
        }
        try (Store store = Store.open(dir, OldStore.CONFIG, Disk.real())) {
            assertThat(store.findings()).isEmpty();
        }
    }

    @Test
    void shouldOpenStoreOfVersionTwoAndBeginAChainAfterItsReceipts() throws IOException {
        // given
        unzip("/io/longhaul/storage/store-version-2.zip");
        ReceiptRow next = new ReceiptRow(Direction.INCOMING, "new", "climate.daily", "s1", 6, "");

        // when
        try (Store store = Store.open(dir, OldStore.CONFIG, Disk.real())) {
            // then
            assertThat(store.findings()).isEmpty();
            assertThat(store.ledger().transfer(3)).contains(Samples.outgoing(3, "old"));
            assertThat(ReceiptRows.of(store.ledger(), Direction.INCOMING)).containsExactly(OldStore.RECEIPT);
            assertThat(store.ledger().receiptChainEnd()).isEmpty();
            store.ledger()
                    .commit(List.of(new LedgerChange.AppendReceipt(
                            next, (number, previous) -> new ReceiptLink.Linked("signed", number + previous))))
                    .join();
            assertThat(ReceiptRows.of(store.ledger(), Direction.INCOMING)).hasSize(2);
            assertThat(store.ledger().receiptChainEnd()).contains(new ReceiptPlace(1, "1"));
        }
    }

    @Test
    void shouldOpenStoreOfVersionThreeAndPutItsEntriesTogetherAsTheyAreWrittenAnew() throws IOException {
        // given
        unzip("/io/longhaul/storage/store-version-3.zip");

        // when
        try (Store store = Store.open(dir, OldStore.CONFIG, Disk.real())) {
            // then
            assertThat(store.findings()).isEmpty();
            assertThat(entries(store)).containsExactly("0 00 FF00", "1 01 FF01", "2 02 FF02", "3 03 FF03", "4 04 FF04");
            assertThat(store.ledger().entriesOfPiece(3, 7)).hasSize(OldStore.ENTRIES);
            store.ledger()
                    .commit(List.of(new LedgerChange.PutEntries(
                            3,
                            List.of(
                                    new EntryRow(2, 7, new byte[] {0x12}, new byte[] {0x22}),
                                    new EntryRow(3, 7, new byte[] {0x13}, new byte[] {0x23})))))
                    .join();
            assertThat(entries(store)).containsExactly("0 00 FF00", "1 01 FF01", "2 12 22", "3 13 23", "4 04 FF04");
        }
    }

    @Test
    void shouldOpenStoreOfVersionFourAndFindItsTransfersByStateAndName() throws IOException {
        // given
        unzip("/io/longhaul/storage/store-version-4.zip");

        // when
        try (Store store = Store.open(dir, OldStore.CONFIG, Disk.real())) {
            // then
            assertThat(store.findings()).isEmpty();
            assertThat(store.ledger().latestDelivered("climate.daily", "s1", "n"))
                    .contains(OldStore.DELIVERED);
            assertThat(store.ledger().incoming("climate.daily", "s1", Set.of(TransferState.RECEIVING)))
                    .containsExactly(OldStore.RECEIVING);
        }
    }

    private static List<String> entries(Store store) {
        HexFormat hex = HexFormat.of().withUpperCase();
        List<String> found = new ArrayList<>();
        store.ledger()
                .forEachEntry(
                        3,
                        row -> found.add(
                                row.number() + " " + hex.formatHex(row.encoded()) + " " + hex.formatHex(row.sha256())));
        return found;
    }

    @Test
    void shouldGoOnWhenAMigrationWasCutOff() throws Exception {
        // given
        Path file = dir.resolve("ledger.mv.db");
        BlockFile.create(file, Disk.real(), 1);
        try (LedgerFile ledger =
                LedgerFile.openDatabase(file, BlockFile.open(file, Disk.real()).file(), 1, List.of())) {
            ledger.database().execute("CREATE INDEX entry_piece ON entry (piece)");
            ledger.database().execute("CREATE TABLE purge (id BIGINT PRIMARY KEY)");
            ledger.database().execute("ALTER TABLE receipt ADD COLUMN chain_number BIGINT");
        }

        // when
        try (LedgerFile ledger = LedgerFile.open(dir, Disk.real(), false, () -> 1, lost -> {})) {
            // then
            List<Integer> versions = Database.query(
                    ledger.database().writing(), row -> row.getInt(1), "SELECT version FROM schema_version ORDER BY 1");
            assertThat(versions).containsExactly(1, 2, 3, 4, 5);
        }
    }

    @Test
    void shouldKeepAllRowsWhenTheAlterationOfATableWasCutOff() throws Exception {
        // given
        Path file = dir.resolve("ledger.mv.db");
        BlockFile.create(file, Disk.real(), 1);
        try (LedgerFile ledger =
                LedgerFile.openDatabase(file, BlockFile.open(file, Disk.real()).file(), 3, List.of())) {
            Database database = ledger.database();
            database.execute("INSERT INTO entry VALUES (1, 2, X'03', X'04')");
            database.execute("INSERT INTO purge VALUES (5)");
            // cut off after H2 dropped the table, and before
            database.execute("ALTER TABLE entry RENAME TO entry_copy_3_0");
            database.execute("CREATE TABLE purge_copy_3_12 (id BIGINT PRIMARY KEY)");
            database.writing().commit();
        }

        // when
        try (LedgerFile ledger = LedgerFile.open(dir, Disk.real(), false, () -> 1, lost -> {})) {
            // then
            Connection reading = ledger.database().writing();
            assertThat(Database.query(reading, Rows::entries, "SELECT " + Rows.ENTRY + " FROM entry"))
                    .hasSize(1);
            assertThat(Database.query(reading, row -> row.getLong(1), "SELECT id FROM purge"))
                    .containsExactly(5L);
            assertThat(Database.query(
                            reading,
                            row -> row.getString(1),
                            "SELECT table_name FROM information_schema.tables WHERE table_name LIKE '%COPY%'"))
                    .isEmpty();
        }
    }

    @Test
    void shouldRefuseLedgerOfANewerVersionAndLeaveItAlone() {
        // given
        Store.open(dir, OldStore.CONFIG, Disk.real()).close();
        try (LedgerFile ledger = LedgerFile.open(dir, Disk.real(), false, () -> 1, lost -> {})) {
            ledger.database().execute("INSERT INTO schema_version VALUES (77)");
        }

        // when, then
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> Store.open(dir, OldStore.CONFIG, Disk.real()))
                    .isInstanceOfSatisfying(
                            StorageException.class, e -> assertThat(e.code()).isEqualTo(StorageException.Code.VERSION))
                    .hasMessageContaining("77")
                    .hasMessageContaining("newer");
        }
    }

    private void unzip(String resource) throws IOException {
        try (InputStream bytes = MigrationTest.class.getResourceAsStream(resource);
                ZipInputStream zip = new ZipInputStream(bytes)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path target = dir.resolve(entry.getName());
                Files.createDirectories(target.getParent());
                Files.copy(zip, target);
            }
        }
    }
}
