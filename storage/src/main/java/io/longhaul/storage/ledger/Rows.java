package io.longhaul.storage.ledger;

import io.longhaul.storage.Direction;
import io.longhaul.storage.LeaseRow;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.ReceiptKeyRow;
import io.longhaul.storage.ReceiptPlace;
import io.longhaul.storage.ReceiptRow;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import java.util.stream.Collectors;

/** Columns and how a row of each table becomes a record. */
final class Rows {
    static final String TRANSFER = "id, direction, transfer_id, topic, subscription, name, state, order_number,"
            + " created_millis, manifest, seal, path, detail";
    static final String PIECE = "id, kind, entry, file_offset, length, crc32c, safe, spool";
    static final String ENTRY = "id, piece, entries, encoded, sha256";
    static final String RECEIPT = "direction, transfer_id, topic, subscription, at_millis, receipt";
    static final String REFUSED_RECEIPT = "0, transfer_id, topic, subscription, at_millis, receipt";
    static final String RECEIPT_KEY = "topic, subscription, public_key, since_millis";
    /** The receipts themselves are asked too: a salvaged ledger may have lost the one row that says it. */
    static final String CHAIN_END = "SELECT chain_number, chain_hash FROM receipt_chain"
            + " UNION SELECT chain_number, chain_hash FROM receipt"
            + " WHERE chain_number = (SELECT MAX(chain_number) FROM receipt) ORDER BY 1 DESC LIMIT 1";

    static final String PLACE_BEFORE = "SELECT chain_number, chain_hash FROM receipt WHERE chain_number < ?1"
            + " ORDER BY chain_number DESC LIMIT 1";

    static final String LEASE = "transfer_id, topic, subscription, through, granted_millis";

    /** The latest of a name; the order begins with the columns that are given, or H2 does not see that the index has it. */
    static final String LATEST_DELIVERED = ofEach(
                    Set.of(TransferState.DELIVERED, TransferState.RECEIPTED),
                    " AND name = ?3 ORDER BY topic, subscription, state, name, order_number DESC, id DESC LIMIT 1")
            + " ORDER BY order_number DESC, id DESC LIMIT 1";

    /** Orders and keys by topic (1), subscription (2) and state (3): the index has them, and no row is read. */
    static final String PLACES = "SELECT order_number, id FROM transfer USE INDEX (transfer_state)"
            + " WHERE topic = ?1 AND subscription = ?2 AND state = ?3";

    /** The first topic that is not before a text (1). H2 would look at all that is equal to it if they were to be behind it. */
    static final String FIRST_TOPIC =
            "SELECT topic FROM transfer USE INDEX (transfer_state) WHERE topic >= ?1 ORDER BY topic LIMIT 1";

    private static final int INDEX_BITS = 32;
    private static final long INDEX_MASK = (1L << INDEX_BITS) - 1;
    private static final long MAX_KEY = Integer.MAX_VALUE;

    private Rows() {}

    /** Returns the query for the incoming transfers of a topic (1) and subscription (2) in one of these states. */
    static String transfersIn(Set<TransferState> states) {
        return ofEach(states, "") + " ORDER BY id";
    }

    /** One part for each state: of several values for a column H2 looks all up in an index only if that begins with it. */
    private static String ofEach(Set<TransferState> states, String rest) {
        return states.stream()
                .map(state ->
                        "(SELECT " + TRANSFER + " FROM transfer WHERE topic = ?1 AND subscription = ?2 AND state = '"
                                + state.name() + "' AND direction = " + code(Direction.INCOMING) + rest + ")")
                .collect(Collectors.joining(" UNION ALL "));
    }

    /** Returns the clustered id of a piece or entry. */
    static long id(long key, long index) {
        if (key < 0 || key > MAX_KEY || index < 0 || index > INDEX_MASK) {
            throw new IllegalArgumentException("row of transfer " + key + ", index " + index + ": expected a key up to "
                    + MAX_KEY + " and an index up to " + INDEX_MASK);
        }
        return (key << INDEX_BITS) | index;
    }

    /** Returns the first id of a transfer's pieces or entries. */
    static long firstId(long key) {
        return id(key, 0);
    }

    /** Returns the last id of a transfer's pieces or entries. */
    static long lastId(long key) {
        return id(key, INDEX_MASK);
    }

    /** Returns the first id that a row with this entry may have. */
    static long earliestWith(long key, long number) {
        return id(key, Math.max(0, number - EntryRun.MOST + 1));
    }

    static long key(long id) {
        return id >>> INDEX_BITS;
    }

    static long index(long id) {
        return id & INDEX_MASK;
    }

    static int code(Direction direction) {
        return switch (direction) {
            case OUTGOING -> 0;
            case INCOMING -> 1;
        };
    }

    private static Direction direction(int code) {
        return code == 0 ? Direction.OUTGOING : Direction.INCOMING;
    }

    static TransferRow transfer(ResultSet row) throws SQLException {
        return new TransferRow(
                row.getLong(1),
                direction(row.getInt(2)),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                TransferState.valueOf(row.getString(7)),
                row.getLong(8),
                row.getLong(9),
                row.getString(10),
                row.getString(11),
                row.getString(12),
                row.getString(13));
    }

    static PieceRow piece(ResultSet row) throws SQLException {
        return new PieceRow(
                index(row.getLong(1)),
                row.getInt(2),
                row.getLong(3),
                row.getLong(4),
                row.getInt(5),
                row.getInt(6),
                row.getBoolean(7),
                row.getLong(8));
    }

    static EntryRun entries(ResultSet row) throws SQLException {
        return EntryRun.read(
                index(row.getLong(1)), index(row.getLong(2)), row.getInt(3), row.getBytes(4), row.getBytes(5));
    }

    static ReceiptRow receipt(ResultSet row) throws SQLException {
        return new ReceiptRow(
                direction(row.getInt(1)),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getLong(5),
                row.getString(6));
    }

    static ReceiptKeyRow receiptKey(ResultSet row) throws SQLException {
        return new ReceiptKeyRow(row.getString(1), row.getString(2), row.getString(3), row.getLong(4));
    }

    static ReceiptPlace place(ResultSet row) throws SQLException {
        return new ReceiptPlace(row.getLong(1), row.getString(2));
    }

    static LeaseRow lease(ResultSet row) throws SQLException {
        return new LeaseRow(row.getString(1), row.getString(2), row.getString(3), row.getLong(4), row.getLong(5));
    }
}
