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
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.h2.mvstore.MVStoreException;

/**
 * Copies what can still be read from a damaged ledger into a new one, which takes its place; the damaged file stays
 * beside it.
 *
 * <p>Rows are read in the order of their number in the table. Where they cannot be, a page is damaged: the last number
 * before it and the first one behind it are searched for by halving, since numbers may have gaps of billions.
 * Interrupted anywhere, it begins anew at the next open: the new file takes its name at once.
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
            "setting",
            "purge");
    private static final int MAX_FAILURES = 20_000;
    private static final int RANGE_ROWS = 200;

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
        long next = bound(table, "MIN", 1, 0);
        long last = bound(table, "MAX", 0, Long.MAX_VALUE - 1);
        while (next <= last) {
            long damaged = copyFrom(table, next, last);
            next = failures > MAX_FAILURES ? last + 1 : firstReadable(table, damaged, last);
            if (damaged <= last) {
                lost.add(new long[] {damaged, next - 1});
            }
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

    /** Returns the least or greatest number of a row. */
    private long bound(String table, String which, long whenEmpty, long whenUnreadable) {
        try {
            return Database.query(
                            from,
                            row -> row.getLong(1),
                            "SELECT COALESCE(" + which + "(_ROWID_), " + whenEmpty + ") FROM " + table)
                    .get(0);
        } catch (SQLException | MVStoreException e) {
            return whenUnreadable;
        }
    }

    /**
     * Copies rows from a number on; returns the first one that cannot be read, or what follows the last. H2 looks a single
     * number up by itself: that it can be read says nothing of what follows.
     */
    private long copyFrom(String table, long first, long last) throws SQLException {
        long next = first;
        long end = last;
        long unreadable = -1; // reading as far as here failed
        while (next <= end) {
            Optional<Page> page = read(table, next, end);
            if (page.isPresent()) {
                write(table, page.get());
            }
            if (next == end) {
                return page.isPresent() ? next + 1 : next;
            }
            if (page.isEmpty()) {
                unreadable = end;
                end = next + (end - next) / 2;
            } else if (page.get().rows.size() == RANGE_ROWS) {
                next = page.get().lastNumber() + 1;
            } else {
                next = end + 1;
                end = next <= unreadable ? next + (unreadable - next) / 2 : last;
            }
        }
        return next;
    }

    /** Returns a number from which on rows can be read again, as near behind the damaged one as can be told. */
    private long firstReadable(String table, long damaged, long last) {
        long bad = damaged;
        long good = last + 1;
        for (long step = 1; step > 0 && step <= last - damaged && good > last; step *= 2) {
            if (isReadable(table, damaged + step)) {
                good = damaged + step;
            } else {
                bad = damaged + step;
            }
        }
        while (good - bad > 1) {
            long middle = bad + (good - bad) / 2;
            if (isReadable(table, middle)) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        return good;
    }

    /** Returns whether rows can be read from a number on, if only one. */
    private boolean isReadable(String table, long number) {
        return read(table, number, number + 1).isPresent();
    }

    /** Rows, each after its number. */
    private record Page(List<String> columns, List<Object[]> rows) {
        long lastNumber() {
            return (Long) rows.get(rows.size() - 1)[0];
        }
    }

    /** Returns the first rows of a range; nothing when they cannot be read. */
    private Optional<Page> read(String table, long first, long last) {
        String sql = "SELECT _ROWID_, * FROM " + table + " WHERE _ROWID_ BETWEEN ? AND ? ORDER BY _ROWID_ LIMIT "
                + RANGE_ROWS;
        List<String> columns = new ArrayList<>();
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
            return Optional.of(new Page(columns, rows));
        } catch (SQLException | MVStoreException e) {
            failures++;
            return Optional.empty();
        }
    }

    private void write(String table, Page page) throws SQLException {
        String sql = "MERGE INTO " + table + " (" + String.join(", ", page.columns) + ") VALUES ("
                + Stream.generate(() -> "?").limit(page.columns.size()).collect(Collectors.joining(", ")) + ")";
        try (PreparedStatement statement = to.prepareStatement(sql)) {
            for (Object[] row : page.rows) {
                for (int i = 1; i < row.length; i++) {
                    statement.setObject(i, row[i]);
                }
                statement.addBatch();
            }
            statement.executeBatch();
        }
        to.commit();
        copied += page.rows.size();
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
