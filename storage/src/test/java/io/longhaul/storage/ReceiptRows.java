package io.longhaul.storage;

import java.util.ArrayList;
import java.util.List;

/** The receipts of a ledger that has few of them. */
public final class ReceiptRows {
    private ReceiptRows() {}

    /** Returns those of a direction, by their time. */
    public static List<ReceiptRow> of(Ledger ledger, Direction direction) {
        List<ReceiptRow> all = new ArrayList<>();
        ledger.forEachReceipt(direction, (row, number) -> all.add(row));
        return all;
    }

    /** Returns those taken whose signature is wrong, by their time. */
    public static List<ReceiptRow> refused(Ledger ledger) {
        List<ReceiptRow> all = new ArrayList<>();
        ledger.forEachRefusedReceipt(all::add);
        return all;
    }
}
