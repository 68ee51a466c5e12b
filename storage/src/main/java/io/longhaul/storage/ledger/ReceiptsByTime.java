package io.longhaul.storage.ledger;

import io.longhaul.storage.Direction;
import io.longhaul.storage.ReceiptRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ObjLongConsumer;

/**
 * Receipts in the order of their time; of the same time in the order in which they were recorded.
 *
 * <p>There may be very many, no index has their times, and H2 would sort all of them in memory, receipts included: here
 * only time and number of their rows are, and the receipts are read one at a time.
 */
final class ReceiptsByTime {
    private static final int PAGE_ROWS = 2000;

    private final Database database;
    private final String columns;
    private final String fromWhere;

    private record Place(long atMillis, long row) {}

    private ReceiptsByTime(Database database, String columns, String fromWhere) {
        this.database = database;
        this.columns = columns;
        this.fromWhere = fromWhere;
    }

    /** Returns those taken for outgoing transfers, or given for incoming ones. */
    static ReceiptsByTime of(Database database, Direction direction) {
        return new ReceiptsByTime(
                database, Rows.RECEIPT, "FROM receipt WHERE direction = " + Rows.code(direction) + " AND");
    }

    /** Returns those taken whose signature is wrong. */
    static ReceiptsByTime refused(Database database) {
        return new ReceiptsByTime(database, Rows.REFUSED_RECEIPT, "FROM refused_receipt WHERE");
    }

    /** Does something for each, with the number of its row. */
    void forEach(ObjLongConsumer<ReceiptRow> action) {
        for (Place place : places()) {
            // nothing deletes receipts
            ReceiptRow row =
                    database.query(Rows::receipt, receiptQuery(), place.row()).get(0);
            action.accept(row, place.row());
        }
    }

    /** Returns the query for the receipt of a row (1). */
    String receiptQuery() {
        return "SELECT " + columns + " " + fromWhere + " _ROWID_ = ?1";
    }

    /** Returns the query for the next places behind a row (1). */
    String placesQuery() {
        return "SELECT at_millis, _ROWID_ " + fromWhere + " _ROWID_ > ?1 ORDER BY _ROWID_ LIMIT " + PAGE_ROWS;
    }

    private List<Place> places() {
        List<Place> places = new ArrayList<>();
        long after = Long.MIN_VALUE;
        List<Place> page;
        do {
            page = database.query(row -> new Place(row.getLong(1), row.getLong(2)), placesQuery(), after);
            places.addAll(page);
            after = page.isEmpty() ? after : page.get(page.size() - 1).row();
        } while (page.size() == PAGE_ROWS);
        places.sort(Comparator.comparingLong(Place::atMillis));
        return places;
    }
}
