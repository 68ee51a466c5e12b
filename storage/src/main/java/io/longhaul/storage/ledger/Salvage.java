package io.longhaul.storage.ledger;

import io.longhaul.storage.Disk;
import io.longhaul.storage.StorageException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
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

    private final Remains from;
    private final Connection to;
    private long copied;
    private int failures;

    private Salvage(Remains from, Connection to) {
        this.from = from;
        this.to = to;
    }

    /** Replaces the file; returns what was recovered and what was lost, or throws DAMAGED when nothing can be read. */
    static List<String> run(
            Path directory, Path file, BlockFile damaged, Disk disk, LongSupplier ids, Consumer<List<String>> lost) {
        damaged.keepInMemory();
        Path fresh = file.resolveSibling(file.getFileName() + ".salvaged");
        List<String> findings = new ArrayList<>();
        String name = BlockFilePath.register(damaged);
        try (Remains old = Remains.open(name)) {
            disk.delete(BlockFile.journalOf(fresh));
            BlockFile.create(fresh, disk, ids.getAsLong());
            try (LedgerFile rescued =
                    LedgerFile.openDatabase(fresh, BlockFile.open(fresh, disk).file(), Schema.VERSION, List.of())) {
                Salvage salvage = new Salvage(old, rescued.database().writing());
                for (String table : TABLES) {
                    if (old.has(
                            table.toUpperCase(Locale.ROOT))) { // a ledger of an older version does not have every one
                        findings.add(salvage.copy(table));
                    }
                }
                findings.add(file + ": these are of version " + old.version()
                        + " of the database, the newest that can be read; rows that came later, if any, are lost");
                salvage.purgeOrphans();
                salvage.rebuildSlots();
            }
        } catch (SQLException | StorageException | MVStoreException e) {
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
            BlockFilePath.unregister(name);
        }
        Path aside = file.resolveSibling(file.getFileName() + ".damaged-" + Long.toUnsignedString(ids.getAsLong(), 36));
        lost.accept(findings);
        disk.createLink(aside, file);
        disk.rename(fresh, file);
        disk.delete(BlockFile.journalOf(fresh));
        disk.syncDirectory(directory);
        findings.add(file + ": the damaged file is kept as " + aside);
        return findings;
    }

    private String copy(String table) throws SQLException {
        copied = 0;
        failures = 0;
        Remains.Rows rows;
        try {
            rows = from.rows(table.toUpperCase(Locale.ROOT));
        } catch (MVStoreException | StorageException e) {
            return "ledger table " + table + ": all rows lost: " + e.getMessage();
        }
        List<long[]> lost = new ArrayList<>();
        long next = bound(rows::first, 1, 0);
        long last = bound(rows::last, 0, Long.MAX_VALUE - 1);
        while (next <= last) {
            long damaged = copyFrom(table, rows, next, last);
            next = failures > MAX_FAILURES ? last + 1 : firstReadable(rows, damaged, last);
            if (damaged <= last) {
                lost.add(new long[] {damaged, next - 1});
            }
        }
        to.commit();
        return "ledger table " + table + ": " + copied + " rows recovered"
                + (lost.isEmpty()
                        ? ", no range of them unreadable"
                        : ", rows lost or unknown in "
                                + lost.stream()
                                        .limit(10)
                                        .map(range -> range[0] + ".." + range[1])
                                        .collect(Collectors.joining(", "))
                                + (lost.size() > 10 ? " and " + (lost.size() - 10) + " more ranges" : ""));
    }

    /** Returns the least or greatest number of a row. */
    private static long bound(Supplier<OptionalLong> number, long whenEmpty, long whenUnreadable) {
        try {
            return number.get().orElse(whenEmpty);
        } catch (MVStoreException e) {
            return whenUnreadable;
        }
    }

    /**
     * Copies rows from a number on; returns the first one that cannot be read, or what follows the last. A single number is
     * looked up by itself: that it can be read says nothing of what follows.
     */
    private long copyFrom(String table, Remains.Rows rows, long first, long last) throws SQLException {
        long next = first;
        long end = last;
        long unreadable = -1; // reading as far as here failed
        while (next <= end) {
            Optional<List<Remains.Row>> page = read(rows, next, end);
            if (page.isPresent()) {
                write(table, rows.columns(), page.get());
            }
            if (next == end) {
                return page.isPresent() ? next + 1 : next;
            }
            if (page.isEmpty()) {
                unreadable = end;
                end = next + (end - next) / 2;
            } else if (page.get().size() == RANGE_ROWS) {
                next = page.get().get(RANGE_ROWS - 1).number() + 1;
            } else {
                next = end + 1;
                end = next <= unreadable ? next + (unreadable - next) / 2 : last;
            }
        }
        return next;
    }

    /** Returns a number from which on rows can be read again, as near behind the damaged one as can be told. */
    private long firstReadable(Remains.Rows rows, long damaged, long last) {
        long bad = damaged;
        long good = last + 1;
        for (long step = 1; step > 0 && step <= last - damaged && good > last; step *= 2) {
            if (isReadable(rows, damaged + step)) {
                good = damaged + step;
            } else {
                bad = damaged + step;
            }
        }
        while (good - bad > 1) {
            long middle = bad + (good - bad) / 2;
            if (isReadable(rows, middle)) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        return good;
    }

    /** Returns whether rows can be read from a number on, if only one. */
    private boolean isReadable(Remains.Rows rows, long number) {
        return read(rows, number, number + 1).isPresent();
    }

    /** Returns the first rows of a range; nothing when they cannot be read. */
    private Optional<List<Remains.Row>> read(Remains.Rows rows, long first, long last) {
        try {
            return Optional.of(rows.read(first, last, RANGE_ROWS));
        } catch (MVStoreException | StorageException e) {
            failures++;
            return Optional.empty();
        }
    }

    private void write(String table, List<String> columns, List<Remains.Row> rows) throws SQLException {
        String sql = "MERGE INTO " + table + " (" + String.join(", ", columns) + ") VALUES ("
                + columns.stream().map(column -> "?").collect(Collectors.joining(", ")) + ")";
        try (PreparedStatement statement = to.prepareStatement(sql)) {
            for (Remains.Row row : rows) {
                for (int i = 0; i < columns.size(); i++) {
                    statement.setObject(i + 1, row.values().get(i));
                }
                statement.addBatch();
            }
            statement.executeBatch();
        }
        to.commit();
        copied += rows.size();
    }

    /** Pieces and entries whose transfer is lost are of no use to anybody, and would keep room in the spool for ever. */
    private void purgeOrphans() throws SQLException {
        for (String table : List.of("piece", "entry")) {
            try (PreparedStatement statement = to.prepareStatement("MERGE INTO purge KEY (id)"
                    + " SELECT DISTINCT id / 4294967296 FROM " + table
                    + " WHERE NOT EXISTS (SELECT 1 FROM transfer WHERE transfer.id = " + table + ".id / 4294967296)")) {
                statement.executeUpdate();
            }
        }
        to.commit();
    }

    /** The pieces say which slots are taken; all of them count as recent and are checked. */
    private void rebuildSlots() throws SQLException {
        try (PreparedStatement statement = to.prepareStatement("MERGE INTO slot (spool, piece, taken) KEY (spool)"
                + " SELECT spool, id, " + Long.MAX_VALUE + " FROM piece WHERE spool >= 0"
                + " AND NOT EXISTS (SELECT 1 FROM purge WHERE purge.id = piece.id / 4294967296)")) {
            statement.executeUpdate();
        }
        try (PreparedStatement statement =
                to.prepareStatement("DELETE FROM setting WHERE name = '" + OpenH2Ledger.CLEAN_SETTING + "'")) {
            statement.executeUpdate();
        }
        to.commit();
    }
}
