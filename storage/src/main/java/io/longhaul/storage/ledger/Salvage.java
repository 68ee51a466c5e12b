package io.longhaul.storage.ledger;

import io.longhaul.storage.Disk;
import io.longhaul.storage.StorageException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.h2.mvstore.MVStoreException;

/**
 * Copies what can still be read from a damaged ledger into a new one, which takes its place; the damaged file stays
 * beside it.
 *
 * <p>Rows are read by ranges of their number in the table; a range that cannot be read is halved until what cannot be
 * read is alone. Interrupted anywhere, it begins anew at the next open: the new file takes its name at once.
 */
final class Salvage {
    private static final List<String> TABLES = List.of(
            "transfer",
            "piece",
            "entry",
            "receipt",
            "receipt_chain",
            "receipt_key",
            "refused_receipt",
            "lease",
            "setting");
    private static final int MAX_FAILURES = 20_000;
    private static final long RANGE_ROWS = 200;

    private final Connection from;
    private final Connection to;
    private long copied;
    private int failures;

    private Salvage(Connection from, Connection to) {
        this.from = from;
        this.to = to;
    }

    /** Replaces the file; returns what was recovered and what was lost, or throws DAMAGED when nothing can be read. */
    static List<String> run(Path directory, Path file, BlockFile damaged, Disk disk, LongSupplier ids) {
        damaged.keepInMemory();
        Path fresh = file.resolveSibling(file.getFileName() + ".salvaged");
        List<String> findings = new ArrayList<>();
        String name = BlockFilePath.register(damaged);
        Database old = null;
        try {
            old = Database.open(file, name);
            disk.delete(BlockFile.journalOf(fresh));
            BlockFile.create(fresh, disk, ids.getAsLong());
            try (LedgerFile rescued =
                    LedgerFile.openDatabase(fresh, BlockFile.open(fresh, disk).file(), Schema.VERSION, List.of())) {
                Salvage salvage = new Salvage(old.writing(), rescued.database().writing());
                for (String table : TABLES) {
                    if (salvage.isThere(table)) {
                        findings.add(salvage.copy(table));
                    }
                }
                salvage.rebuildSlots();
            }
        } catch (SQLException | StorageException e) {
            StorageException failure = Database.failure(file, "read", e);
            if (failure.code() == StorageException.Code.NO_SPACE || failure.code() == StorageException.Code.VERSION) {
                throw failure;
            }
            throw new StorageException(
                    StorageException.Code.DAMAGED,
                    file + " is damaged and nothing can be read from it (" + failure.getMessage()
                            + "); restore it, or remove " + directory + " to begin without what it knew",
                    e);
        } finally {
            if (old != null) {
                old.abandon();
            }
            BlockFilePath.unregister(name);
        }
        Path aside = file.resolveSibling(file.getFileName() + ".damaged-" + Long.toUnsignedString(ids.getAsLong(), 36));
        disk.createLink(aside, file);
        disk.rename(fresh, file);
        disk.delete(BlockFile.journalOf(fresh));
        disk.syncDirectory(directory);
        findings.add(file + ": the damaged file is kept as " + aside);
        return findings;
    }

    /** A ledger of an older version does not have every table. */
    private boolean isThere(String table) {
        try {
            return !Database.query(
                            from,
                            row -> true,
                            "SELECT 1 FROM information_schema.tables WHERE table_schema = 'PUBLIC' AND table_name = ?",
                            table.toUpperCase(Locale.ROOT))
                    .isEmpty();
        } catch (SQLException | MVStoreException e) {
            // what cannot be told is tried
            return true;
        }
    }

    private String copy(String table) throws SQLException {
        copied = 0;
        failures = 0;
        List<long[]> lost = new ArrayList<>();
        long first;
        long last;
        try {
            first = bound(table, "MIN");
            last = bound(table, "MAX");
        } catch (SQLException | MVStoreException e) {
            // the ends of the table cannot be read: try where rows of a ledger usually are
            first = 0;
            last = 1L << 44;
            lost.add(new long[] {first, last});
        }
        if (last - first >= 0) {
            copyRange(table, first, last, lost);
        }
        to.commit();
        return "ledger table " + table + ": " + copied + " rows recovered"
                + (lost.isEmpty()
                        ? ", none lost"
                        : ", rows lost or unknown in "
                                + lost.stream()
                                        .limit(10)
                                        .map(range -> range[0] + ".." + range[1])
                                        .collect(Collectors.joining(", "))
                                + (lost.size() > 10 ? " and " + (lost.size() - 10) + " more ranges" : ""));
    }

    private long bound(String table, String which) throws SQLException {
        return Database.query(
                        from,
                        row -> row.getLong(1),
                        "SELECT COALESCE(" + which + "(_ROWID_), " + ("MIN".equals(which) ? 1 : 0) + ") FROM " + table)
                .get(0);
    }

    private void copyRange(String table, long first, long last, List<long[]> lost) throws SQLException {
        if (failures > MAX_FAILURES) {
            lost.add(new long[] {first, last});
            return;
        }
        long after = first;
        while (after <= last) {
            List<Object[]> rows;
            List<String> columns = new ArrayList<>();
            try {
                rows = read(table, after, last, columns);
            } catch (SQLException | MVStoreException e) {
                failures++;
                if (after == last) {
                    lost.add(new long[] {after, last});
                } else {
                    long middle = after + (last - after) / 2;
                    copyRange(table, after, middle, lost);
                    copyRange(table, middle + 1, last, lost);
                }
                return;
            }
            write(table, columns, rows);
            if (rows.size() < RANGE_ROWS) {
                return;
            }
            after = (Long) rows.get(rows.size() - 1)[0] + 1;
        }
    }

    private List<Object[]> read(String table, long first, long last, List<String> columns) throws SQLException {
        String sql = "SELECT _ROWID_, * FROM " + table + " WHERE _ROWID_ BETWEEN ? AND ? ORDER BY _ROWID_ LIMIT "
                + RANGE_ROWS;
        List<Object[]> rows = new ArrayList<>();
        try (PreparedStatement statement = from.prepareStatement(sql)) {
            statement.setLong(1, first);
            statement.setLong(2, last);
            try (ResultSet result = statement.executeQuery()) {
                ResultSetMetaData shape = result.getMetaData();
                for (int i = 2; i <= shape.getColumnCount(); i++) {
                    columns.add(shape.getColumnName(i));
                }
                while (result.next()) {
                    Object[] row = new Object[shape.getColumnCount()];
                    for (int i = 0; i < row.length; i++) {
                        row[i] = i == 0 ? (Object) result.getLong(1) : result.getObject(i + 1);
                    }
                    rows.add(row);
                }
            }
        }
        return rows;
    }

    private void write(String table, List<String> columns, List<Object[]> rows) throws SQLException {
        String sql = "MERGE INTO " + table + " (" + String.join(", ", columns) + ") VALUES ("
                + Stream.generate(() -> "?").limit(columns.size()).collect(Collectors.joining(", ")) + ")";
        try (PreparedStatement statement = to.prepareStatement(sql)) {
            for (Object[] row : rows) {
                for (int i = 1; i < row.length; i++) {
                    statement.setObject(i, row[i]);
                }
                statement.addBatch();
            }
            statement.executeBatch();
        }
        to.commit();
        copied += rows.size();
    }

    /** The pieces say which slots are taken; all of them count as recent and are checked. */
    private void rebuildSlots() throws SQLException {
        try (PreparedStatement statement = to.prepareStatement("MERGE INTO slot (spool, piece, taken) KEY (spool)"
                + " SELECT spool, id, " + Long.MAX_VALUE + " FROM piece WHERE spool >= 0")) {
            statement.executeUpdate();
        }
        try (PreparedStatement statement =
                to.prepareStatement("DELETE FROM setting WHERE name = '" + OpenH2Ledger.CLEAN_SETTING + "'")) {
            statement.executeUpdate();
        }
        to.commit();
    }
}
