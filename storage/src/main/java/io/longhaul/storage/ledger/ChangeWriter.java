package io.longhaul.storage.ledger;

import io.longhaul.storage.LeaseRow;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.ReceiptKeyRow;
import io.longhaul.storage.ReceiptLink;
import io.longhaul.storage.ReceiptPlace;
import io.longhaul.storage.ReceiptRow;
import io.longhaul.storage.TransferRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Turns changes into statements of the writer's transaction. For the writer's thread only. */
final class ChangeWriter {
    /** After so many slots the next ones count as taken later; bounds what a crash makes the next open read. */
    private static final int SLOTS_PER_MARK = 128;

    private final Connection connection;
    private final EntryTable entries;
    private final Purge purge;
    private final Map<String, PreparedStatement> statements = new HashMap<>();
    /** Transfers that have or had pieces in the spool; the others need no look at what they had. */
    private final Set<Long> spooled;

    private final List<Long> freed = new ArrayList<>();
    private long mark;
    private int slotsOfMark;

    ChangeWriter(Connection connection, Purge purge, Set<Long> spooled, long mark) {
        this.connection = connection;
        this.entries = new EntryTable(connection);
        this.purge = purge;
        this.spooled = new HashSet<>(spooled);
        this.mark = mark;
    }

    /** Returns the spool positions that the changes since the last call freed, and forgets them. */
    List<Long> takeFreed() {
        List<Long> taken = List.copyOf(freed);
        freed.clear();
        return taken;
    }

    void apply(LedgerChange change) throws SQLException {
        if (change instanceof LedgerChange.PutPieces put) {
            putPieces(put.key(), put.pieces());
        } else if (change instanceof LedgerChange.MarkSafe mark) {
            markSafe(mark.key(), mark.indexes());
        } else if (change instanceof LedgerChange.PutTransfer put) {
            putTransfer(put.row());
        } else if (change instanceof LedgerChange.DeleteTransfer delete) {
            deleteTransfer(delete.key());
        } else if (change instanceof LedgerChange.DeletePieces delete) {
            deletePieces(delete.key(), delete.indexes());
        } else if (change instanceof LedgerChange.PutEntries put) {
            entries.put(put.key(), put.entries());
        } else if (change instanceof LedgerChange.PutReceipt put) {
            putReceipt(put.row());
        } else if (change instanceof LedgerChange.AppendReceipt append) {
            appendReceipt(append.row(), append.link());
        } else if (change instanceof LedgerChange.SkipReceiptNumbers skip) {
            skipReceiptNumbers(skip.to());
        } else if (change instanceof LedgerChange.PutRefusedReceipt put) {
            putRefusedReceipt(put.row());
        } else if (change instanceof LedgerChange.PutReceiptKey put) {
            putReceiptKey(put.row());
        } else if (change instanceof LedgerChange.PutLease put) {
            putLease(put.row());
        } else if (change instanceof LedgerChange.DeleteLease delete) {
            run(
                    "DELETE FROM lease WHERE transfer_id = ? AND subscription = ?",
                    delete.transferId(),
                    delete.subscription());
        } else if (change instanceof LedgerChange.PutSetting put) {
            run("MERGE INTO setting KEY (name) VALUES (?, ?)", put.name(), put.value());
        } else if (change instanceof LedgerChange.DeleteSetting delete) {
            run("DELETE FROM setting WHERE name = ?", delete.name());
        } else {
            throw new IllegalArgumentException("unknown change " + change);
        }
    }

    private void putTransfer(TransferRow row) throws SQLException {
        run(
                "MERGE INTO transfer (" + Rows.TRANSFER + ") KEY (id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row.key(),
                Rows.code(row.direction()),
                row.transferId(),
                row.topic(),
                row.subscription(),
                row.name(),
                row.state().name(),
                row.order(),
                row.createdMillis(),
                row.manifest(),
                row.seal(),
                row.path(),
                row.detail());
    }

    private void deleteTransfer(long key) throws SQLException {
        if (spooled.contains(key)) {
            long first = Rows.firstId(key);
            long last = Rows.lastId(key);
            freed.addAll(Database.query(
                    connection,
                    row -> row.getLong(1),
                    "SELECT spool FROM slot WHERE piece BETWEEN ? AND ?",
                    first,
                    last));
            run("DELETE FROM slot WHERE piece BETWEEN ? AND ?", first, last);
        }
        purge.begin(key);
        run("DELETE FROM transfer WHERE id = ?", key);
        // a key is never given twice, even if its row is gone at the next open
        run(
                "MERGE INTO setting USING (VALUES (?, ?)) given (name, content) ON setting.name = given.name"
                        + " WHEN MATCHED AND CAST(setting.content AS BIGINT) < CAST(given.content AS BIGINT)"
                        + " THEN UPDATE SET content = given.content"
                        + " WHEN NOT MATCHED THEN INSERT VALUES (given.name, given.content)",
                H2Ledger.LAST_KEY_SETTING,
                Long.toString(key));
    }

    private void putPieces(long key, List<PieceRow> pieces) throws SQLException {
        boolean mayHoldSlots = spooled.contains(key);
        PreparedStatement merge = prepared("MERGE INTO piece KEY (id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
        for (PieceRow piece : pieces) {
            long id = Rows.id(key, piece.index());
            if (mayHoldSlots) {
                freeSlotOf(id, piece.spoolPosition());
            }
            bind(
                    merge,
                    id,
                    piece.kind(),
                    piece.entry(),
                    piece.offset(),
                    piece.length(),
                    piece.crc32c(),
                    piece.safe(),
                    piece.spoolPosition());
            merge.addBatch();
            if (piece.spoolPosition() >= 0) {
                takeSlot(key, id, piece.spoolPosition());
            }
        }
        merge.executeBatch();
    }

    private void takeSlot(long key, long id, long position) throws SQLException {
        if (slotsOfMark++ >= SLOTS_PER_MARK) {
            slotsOfMark = 1;
            mark++;
        }
        spooled.add(key);
        run("MERGE INTO slot (spool, piece, taken) KEY (spool) VALUES (?, ?, ?)", position, id, mark);
    }

    /** Frees the slot that the piece has, unless it is the one to keep. */
    private void freeSlotOf(long id, long keep) throws SQLException {
        List<Long> slots = Database.query(
                connection, row -> row.getLong(1), "SELECT spool FROM piece WHERE id = ? AND spool >= 0", id);
        for (long slot : slots) {
            // a commit that failed may be found later: its slot may be another piece's by then
            if (slot != keep && run("DELETE FROM slot WHERE spool = ? AND piece = ?", slot, id) > 0) {
                freed.add(slot);
            }
        }
    }

    private void markSafe(long key, List<Long> indexes) throws SQLException {
        boolean mayHoldSlots = spooled.contains(key);
        PreparedStatement update = prepared("UPDATE piece SET safe = TRUE, spool = -1 WHERE id = ?");
        for (long index : indexes) {
            long id = Rows.id(key, index);
            if (mayHoldSlots) {
                freeSlotOf(id, -1);
            }
            bind(update, id);
            update.addBatch();
        }
        update.executeBatch();
    }

    private void deletePieces(long key, List<Long> indexes) throws SQLException {
        for (long index : indexes) {
            long id = Rows.id(key, index);
            if (spooled.contains(key)) {
                freeSlotOf(id, -1);
            }
            run("DELETE FROM piece WHERE id = ?", id);
        }
    }

    private void putReceipt(ReceiptRow row) throws SQLException {
        run(
                "MERGE INTO receipt USING (VALUES (?, ?, ?, ?, ?, ?))"
                        + " given (direction, transfer_id, topic, subscription, at_millis, receipt)"
                        + " ON receipt.transfer_id = given.transfer_id AND receipt.subscription = given.subscription"
                        + " AND receipt.direction = given.direction"
                        + " WHEN NOT MATCHED THEN INSERT (" + Rows.RECEIPT + ") VALUES (given.direction,"
                        + " given.transfer_id, given.topic, given.subscription, given.at_millis, given.receipt)",
                Rows.code(row.direction()),
                row.transferId(),
                row.topic(),
                row.subscription(),
                row.atMillis(),
                row.receipt());
    }

    /** The place is taken within the transaction: what is rolled back leaves no gap, what is written again no fork. */
    private void appendReceipt(ReceiptRow row, ReceiptLink link) throws SQLException {
        boolean given = !Database.query(
                        connection,
                        found -> true,
                        "SELECT 1 FROM receipt WHERE transfer_id = ? AND subscription = ? AND direction = ?",
                        row.transferId(),
                        row.subscription(),
                        Rows.code(row.direction()))
                .isEmpty();
        if (given) {
            return;
        }
        List<ReceiptPlace> end = Database.query(connection, Rows::place, Rows.CHAIN_END);
        long number = end.isEmpty() ? 1 : end.get(0).number() + 1;
        ReceiptLink.Linked linked =
                link.next(number, end.isEmpty() ? "" : end.get(0).hash());
        run(
                "INSERT INTO receipt (" + Rows.RECEIPT + ", chain_number, chain_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                Rows.code(row.direction()),
                row.transferId(),
                row.topic(),
                row.subscription(),
                row.atMillis(),
                linked.receipt(),
                number,
                linked.hash());
        run("MERGE INTO receipt_chain (id, chain_number, chain_hash) KEY (id) VALUES (0, ?, ?)", number, linked.hash());
    }

    private void skipReceiptNumbers(long to) throws SQLException {
        List<ReceiptPlace> end = Database.query(connection, Rows::place, Rows.CHAIN_END);
        if (end.isEmpty() || end.get(0).number() < to - 1) {
            run(
                    "MERGE INTO receipt_chain (id, chain_number, chain_hash) KEY (id) VALUES (0, ?, ?)",
                    to - 1,
                    end.isEmpty() ? "" : end.get(0).hash());
        }
    }

    private void putRefusedReceipt(ReceiptRow row) throws SQLException {
        run(
                "MERGE INTO refused_receipt USING (VALUES (?, ?, ?, ?, ?))"
                        + " given (transfer_id, subscription, topic, at_millis, receipt)"
                        + " ON refused_receipt.transfer_id = given.transfer_id"
                        + " AND refused_receipt.subscription = given.subscription"
                        + " WHEN NOT MATCHED THEN INSERT (transfer_id, subscription, topic, at_millis, receipt)"
                        + " VALUES (given.transfer_id, given.subscription, given.topic, given.at_millis, given.receipt)",
                row.transferId(),
                row.subscription(),
                row.topic(),
                row.atMillis(),
                row.receipt());
    }

    private void putReceiptKey(ReceiptKeyRow row) throws SQLException {
        run(
                "MERGE INTO receipt_key (" + Rows.RECEIPT_KEY + ") KEY (topic, subscription, public_key)"
                        + " VALUES (?, ?, ?, ?)",
                row.topic(),
                row.subscription(),
                row.key(),
                row.sinceMillis());
    }

    private void putLease(LeaseRow row) throws SQLException {
        run(
                "MERGE INTO lease USING (VALUES (?, ?, ?, ?, ?))"
                        + " given (transfer_id, topic, subscription, through, granted_millis)"
                        + " ON lease.transfer_id = given.transfer_id AND lease.subscription = given.subscription"
                        + " WHEN MATCHED THEN UPDATE SET through = GREATEST(lease.through, given.through)"
                        + " WHEN NOT MATCHED THEN INSERT (" + Rows.LEASE + ") VALUES (given.transfer_id, given.topic,"
                        + " given.subscription, given.through, given.granted_millis)",
                row.transferId(),
                row.topic(),
                row.subscription(),
                row.through(),
                row.grantedMillis());
    }

    /** Returns how many rows it changed. */
    private int run(String sql, Object... arguments) throws SQLException {
        PreparedStatement statement = prepared(sql);
        bind(statement, arguments);
        return statement.executeUpdate();
    }

    private static void bind(PreparedStatement statement, Object... arguments) throws SQLException {
        for (int i = 0; i < arguments.length; i++) {
            statement.setObject(i + 1, arguments[i]);
        }
    }

    private PreparedStatement prepared(String sql) throws SQLException {
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            statements.put(sql, statement);
        }
        return statement;
    }
}
