package io.longhaul.storage.ledger;

import io.longhaul.storage.EntryRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Writes entries, several to a row. For the writer's thread only. */
final class EntryTable {
    private final Connection connection;

    EntryTable(Connection connection) {
        this.connection = connection;
    }

    /** Writes entries over what was there under their numbers. */
    void put(long key, List<EntryRow> entries) throws SQLException {
        for (EntryRun run : EntryRun.of(entries)) {
            for (EntryRun old : overlapping(key, run)) {
                delete(key, old);
                write(key, old.without(run));
            }
            write(key, List.of(run));
        }
    }

    private List<EntryRun> overlapping(long key, EntryRun run) throws SQLException {
        return Database.query(
                connection,
                Rows::entries,
                "SELECT " + Rows.ENTRY + " FROM entry WHERE id BETWEEN ? AND ? AND id + entries > ?",
                Rows.earliestWith(key, run.first()),
                Rows.id(key, run.last()),
                Rows.id(key, run.first()));
    }

    private void delete(long key, EntryRun run) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("DELETE FROM entry WHERE id = ?")) {
            delete.setLong(1, Rows.id(key, run.first()));
            delete.executeUpdate();
        }
    }

    private void write(long key, List<EntryRun> runs) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO entry (" + Rows.ENTRY + ") VALUES (?, ?, ?, ?, ?)")) {
            for (EntryRun run : runs) {
                insert.setLong(1, Rows.id(key, run.first()));
                insert.setLong(2, Rows.id(key, run.piece()));
                insert.setInt(3, run.entries().size());
                insert.setBytes(4, run.encoded());
                insert.setBytes(5, run.sha256());
                insert.executeUpdate();
            }
        }
    }
}
