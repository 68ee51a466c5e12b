package io.longhaul.storage;

import java.util.List;

/** One change to the ledger; changes handed over together become durable together or not at all. */
public sealed interface LedgerChange {

    /** Inserts or replaces a transfer. */
    record PutTransfer(TransferRow row) implements LedgerChange {}

    /** Removes a transfer with its pieces and entries; spool slots that its pieces hold become free. */
    record DeleteTransfer(long key) implements LedgerChange {}

    /** Inserts or replaces pieces of a transfer. A replaced row with spool position -1 frees the slot it had. */
    record PutPieces(long key, List<PieceRow> pieces) implements LedgerChange {}

    /** Marks pieces of an outgoing transfer as acknowledged by the broker and frees their spool slots. */
    record MarkSafe(long key, List<Long> indexes) implements LedgerChange {}

    /** Forgets pieces (found damaged), so that they count as missing again. */
    record DeletePieces(long key, List<Long> indexes) implements LedgerChange {}

    /** Inserts or replaces entries of a tree. */
    record PutEntries(long key, List<EntryRow> entries) implements LedgerChange {}

    /** Inserts a receipt as it is; one that is there already stays. */
    record PutReceipt(ReceiptRow row) implements LedgerChange {}

    /**
     * Appends a receipt given to the chain; one that is there already stays as it is, and the chain too.
     *
     * @param row the receipt without its place, which the link gives it
     */
    record AppendReceipt(ReceiptRow row, ReceiptLink link) implements LedgerChange {}

    /** Gives the next receipt this number at least: those that were lost are not given again. */
    record SkipReceiptNumbers(long to) implements LedgerChange {}

    /** Keeps a receipt taken whose signature is wrong; the first one of a transfer and subscription stays. */
    record PutRefusedReceipt(ReceiptRow row) implements LedgerChange {}

    /** Inserts a key that receipts are expected to be signed with, or changes since when. */
    record PutReceiptKey(ReceiptKeyRow row) implements LedgerChange {}

    /** Inserts or widens a lease. */
    record PutLease(LeaseRow row) implements LedgerChange {}

    /** Ends a lease. */
    record DeleteLease(String transferId, String subscription) implements LedgerChange {}

    /** Sets a named value of the agent. */
    record PutSetting(String name, String value) implements LedgerChange {}

    /** Forgets a named value of the agent. */
    record DeleteSetting(String name) implements LedgerChange {}
}
