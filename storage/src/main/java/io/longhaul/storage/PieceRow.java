package io.longhaul.storage;

/**
 * One piece as the ledger keeps it.
 *
 * @param index position among the transfer's pieces, from 0
 * @param kind wire code of the piece's kind: 1 range, 2 hole, 3 pack
 * @param entry number of the entry that it belongs to; 0 for a single file; the first entry for a pack
 * @param offset offset in the file, bytes
 * @param length bytes covered
 * @param crc32c checksum of the body (of zeros for a hole)
 * @param safe outgoing: the broker acknowledged it; incoming: always true, a piece is recorded once it is durable
 * @param spoolPosition where its body lies in the spool, or -1
 */
public record PieceRow(
        long index, int kind, long entry, long offset, int length, int crc32c, boolean safe, long spoolPosition) {

    /** Returns the same without a body in the spool. */
    public PieceRow withoutSlot() {
        return new PieceRow(index, kind, entry, offset, length, crc32c, safe, -1);
    }
}
