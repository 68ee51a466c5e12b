package io.longhaul.wire;

import java.util.Optional;

/**
 * What a piece says of itself.
 *
 * @param transfer identity of the transfer
 * @param index position among the transfer's pieces, from 0; layout is up to the publisher, order of arrival does not matter
 * @param kind what the body is
 * @param offset offset in the file, bytes; 0 for a pack
 * @param length bytes of the file that the piece covers: of the body for a range, of zeros for a hole; bytes of the
 *     body for a pack
 * @param crc32c CRC-32C (RFC 3720 appendix B.4) of the body; for a hole, of {@code length} zeros
 * @param entry the entry that a range or hole of a tree belongs to; empty for a single file and for packs
 */
public record PieceHeader(
        TransferId transfer, long index, Kind kind, long offset, int length, int crc32c, Optional<Entry> entry) {

    /** What a piece's body is; the code is its byte on the wire. */
    public enum Kind {
        /** A contiguous range of one file. */
        RANGE(1),
        /** A contiguous range of one file that is all zeros; the body is empty. */
        HOLE(2),
        /** Whole small files, directories and links, as {@link PackCodec} writes them. */
        PACK(3);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        public int code() {
            return code;
        }

        /** Returns the kind with this code; throws {@link WireException} for an unknown one. */
        public static Kind of(int code) {
            return switch (code) {
                case 1 -> RANGE;
                case 2 -> HOLE;
                case 3 -> PACK;
                default -> throw new WireException("piece kind: expected 1, 2 or 3, found " + code);
            };
        }
    }

    public PieceHeader {
        Limits.range("piece index", index, 0, Limits.MAX_PIECES - 1);
        Limits.range("piece length", length, 1, Limits.MAX_PIECE_SIZE);
        Limits.range("piece offset", offset, 0, Limits.MAX_LENGTH - length);
        if (kind == Kind.PACK && (offset != 0 || entry.isPresent())) {
            throw new WireException(
                    "piece " + index + ": expected a pack without offset and entry, found offset " + offset);
        }
        entry.ifPresent(of -> checkInside(of, index, offset + length));
    }

    private static void checkInside(Entry entry, long index, long end) {
        if (entry.type() != EntryType.FILE || end > entry.length()) {
            throw new WireException("piece " + index + ": expected a range inside the file "
                    + Names.shown(entry.path()) + " of " + entry.length() + " bytes, found one that ends at " + end
                    + " in a " + entry.type());
        }
    }
}
