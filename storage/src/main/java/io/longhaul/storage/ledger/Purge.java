package io.longhaul.storage.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Removes the pieces and entries of deleted transfers in slices, so that a transfer of a million pieces does not hold
 * up everybody's commits. What remains is in the table {@code purge} and goes on after a restart. For the writer's
 * thread only.
 */
final class Purge {
    static final int SLICE_ROWS = 2000;

    private final Connection connection;
    private boolean pending = true;

    Purge(Connection connection) {
        this.connection = connection;
    }

    /** Removes the first slice in the current transaction, and notes the transfer when there is more. */
    void begin(long key) throws SQLException {
        if (deleteSlice(key)) {
            try (PreparedStatement note = connection.prepareStatement("MERGE INTO purge KEY (id) VALUES (?)")) {
                note.setLong(1, key);
                note.executeUpdate();
            }
            pending = true;
        }
    }

    /** Removes and commits one more slice; returns false when nothing was left to do. */
    boolean step() throws SQLException {
        if (!pending) {
            return false;
        }
        List<Long> keys = Database.query(connection, row -> row.getLong(1), "SELECT id FROM purge LIMIT 1");
        if (keys.isEmpty()) {
            pending = false;
            return false;
        }
        if (!deleteSlice(keys.get(0))) {
            try (PreparedStatement done = connection.prepareStatement("DELETE FROM purge WHERE id = ?")) {
                done.setLong(1, keys.get(0));
                done.executeUpdate();
            }
        }
        connection.commit();
        return true;
    }

    private boolean deleteSlice(long key) throws SQLException {
        boolean morePieces = deleteSlice("piece", key, SLICE_ROWS);
        boolean moreEntries = deleteSlice("entry", key, SLICE_ROWS / EntryRun.MOST);
        return morePieces || moreEntries;
    }

    private boolean deleteSlice(String table, long key, int rows) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement(
                "DELETE FROM " + table + " WHERE id BETWEEN ? AND ? FETCH FIRST " + rows + " ROWS ONLY")) {
            delete.setLong(1, Rows.firstId(key));
            delete.setLong(2, Rows.lastId(key));
            return delete.executeUpdate() == rows;
        }
    }
}
