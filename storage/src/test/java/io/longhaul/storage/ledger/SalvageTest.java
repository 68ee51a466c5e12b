package io.longhaul.storage.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.Samples;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import io.longhaul.storage.TransferRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStore;
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
    @ValueSource(ints = {3, 300, 598, 600})
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
    void shouldRecoverWhatIsLeftWhenTheRootOfAnIndexIsDamaged(@TempDir Path whole) {
        // given
        copy(dir, whole);
        Map<String, Long> roots = rootBlocks(whole.resolve("ledger.mv.db"));
        assertThat(roots).hasSizeGreaterThan(1);

        roots.forEach((index, block) -> {
            // when
            copy(whole, dir);
            damageBlock(block);

            // then
            try (Store store = Store.open(dir, CONFIG, Disk.real())) {
                assertThat(store.findings().toString()).as(index).contains("ledger table transfer: ");
                assertThat(store.ledger().transfers(Direction.OUTGOING))
                        .hasSizeBetween(ROWS - PAGE_ROWS, ROWS)
                        .allMatch(found -> found.equals(row((int) (found.key() / GAP))));
            }
        });
    }

    private static void copy(Path from, Path to) {
        Disk.real().deleteTree(to);
        Disk.real().createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the blocks of the roots of all indexes that are not empty, by the names of their maps, but for those beside
     * which lies what the rows are found by.
     */
    private static Map<String, Long> rootBlocks(Path ledger) {
        BlockFile file = BlockFile.open(ledger, Disk.real()).file();
        file.keepInMemory();
        String name = BlockFilePath.register(file);
        Map<String, Long> blocks = new TreeMap<>();
        try (MVStore store =
                new MVStore.Builder().fileName(name + ".mv.db").readOnly().open()) {
            Set<Long> needed = new HashSet<>();
            Map<String, String> names = new HashMap<>();
            store.getMapNames()
                    .forEach(map -> names.put("root." + store.getMetaMap().get("name." + map), map));
            store.getLayoutMap().forEach((key, value) -> {
                if (key.startsWith("root.") && !value.equals("0")) {
                    String map = names.getOrDefault(key, "");
                    long block = blockOf(store, Long.parseLong(value, 16));
                    if (map.startsWith("index.")) {
                        blocks.put(map, block);
                    } else {
                        needed.addAll(List.of(block, block + 1));
                    }
                }
            });
            blocks.values().removeAll(needed);
        } finally {
            BlockFilePath.unregister(name);
            file.abandon();
        }
        return blocks;
    }

    private static long blockOf(MVStore store, long page) {
        return firstBlockOfChunk(store, page) + DataUtils.getPageOffset(page) / Block.BYTES;
    }

    /** The last chunk is not in the layout, which is a part of it, but in the header. */
    private static long firstBlockOfChunk(MVStore store, long page) {
        String chunk = store.getLayoutMap().get("chunk." + Integer.toHexString(DataUtils.getPageChunkId(page)));
        return chunk == null
                ? DataUtils.readHexLong(store.getStoreHeader(), "block", 0)
                : Long.parseLong(chunk.replaceAll(".*block:([0-9a-f]+).*", "$1"), 16);
    }

    private void damageBlock(long number) {
        Path ledger = dir.resolve("ledger.mv.db");
        try (FileChannel channel = FileChannel.open(ledger, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(Block.BYTES), Layout.physical(number) * Block.BYTES);
            wipeJournal();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void wipeJournal() throws IOException {
        Path journal = dir.resolve("ledger.mv.db.journal");
        Files.write(journal, new byte[(int) Files.size(journal)]);
    }

    @Test
    void shouldGoOnRemovingWhatADeletedTransferLeaves() throws Exception {
        // given
        try (LedgerFile ledger = LedgerFile.open(dir, Disk.real(), false, () -> 1, lost -> {})) {
            ledger.database().execute("INSERT INTO purge VALUES (7)");
            ledger.database().writing().commit();
        }
        damageBlocksWith("name-no300!");

        // when
        try (LedgerFile ledger = LedgerFile.open(dir, Disk.real(), false, () -> 2, lost -> {})) {
            // then
            assertThat(ledger.findings().toString()).contains("rows recovered");
            assertThat(Database.query(ledger.database().writing(), row -> row.getLong(1), "SELECT id FROM purge"))
                    .containsExactly(7L);
        }
    }

    @Test
    void shouldGiveBackTheSpoolOfATransferThatIsLost() throws Exception {
        // given
        long kept = 2 * GAP;
        long lost = 300 * GAP;
        try (Store store = Store.open(dir, CONFIG, Disk.real())) {
            for (long key : List.of(kept, lost)) {
                long position = store.spool().write(ByteBuffer.wrap(new byte[] {1}));
                store.spool().force();
                PieceRow piece = new PieceRow(0, (byte) 0, 0, 0, 1, crcOfOne(), false, position);
                store.ledger()
                        .commit(List.of(new LedgerChange.PutPieces(key, List.of(piece))))
                        .join();
            }
        }

        // when
        damageBlocksWith("name-no300!");

        // then
        try (Store store = Store.open(dir, CONFIG, Disk.real())) {
            assertThat(store.ledger().transfer(lost)).isEmpty();
        }
        try (LedgerFile ledger = LedgerFile.open(dir, Disk.real(), false, () -> 2, gone -> {})) {
            Connection connection = ledger.database().writing();
            assertThat(Database.query(connection, row -> row.getLong(1), "SELECT piece / 4294967296 FROM slot"))
                    .containsExactly(kept);
            assertThat(Database.query(connection, row -> row.getLong(1), "SELECT id / 4294967296 FROM piece"))
                    .containsExactly(kept);
        }
    }

    private static int crcOfOne() {
        CRC32C crc = new CRC32C();
        crc.update(1);
        return (int) crc.getValue();
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
        wipeJournal();
    }
}
