package io.longhaul.agent.receive;

import io.longhaul.wire.Entry;
import io.longhaul.wire.EntryType;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.Names;
import io.longhaul.wire.Piece;
import io.longhaul.wire.PieceHeader;
import io.longhaul.wire.Seal;
import java.util.Collection;

/** What manifests, pieces and seals must hold for before a byte is written; each breach is a {@link RefusedTransfer}. */
final class PieceRules {
    /** A sparse file may be larger than the disk, but not by more than this. */
    private static final long SPARSE_FACTOR = 1024;

    /** Most pieces: bounds the memory that a lying index takes to 32 MiB. */
    private static final long MAX_PIECES = 1L << 28;

    /** Below this a transfer's bitmap, of 64 KiB, is never refused. */
    static final int FEW_PIECES = 1 << 19;

    private final long longest;
    private final long mostBitmapBytes;

    /**
     * Takes the bounds.
     *
     * @param capacityBytes of the disk
     * @param mostBitmapBytes what the bitmaps of all transfers may take together, where one is large
     */
    PieceRules(long capacityBytes, long mostBitmapBytes) {
        this.mostBitmapBytes = mostBitmapBytes;
        this.longest = Math.multiplyHigh(capacityBytes, SPARSE_FACTOR) != 0 || capacityBytes <= 0
                ? Long.MAX_VALUE
                : capacityBytes * SPARSE_FACTOR;
    }

    void manifest(Manifest manifest, String topic) {
        if (!manifest.topic().equals(topic)) {
            throw new RefusedTransfer("topic: expected " + topic + ", found " + manifest.topic());
        }
        length("length", manifest.length());
        if (piecesOf(manifest) > MAX_PIECES) {
            throw new RefusedTransfer("length: expected at most " + MAX_PIECES + " pieces of " + manifest.pieceSize()
                    + " bytes, found " + manifest.length() + " bytes");
        }
    }

    void piece(Incoming incoming, Piece piece) {
        PieceHeader header = piece.header();
        Manifest manifest = incoming.manifest;
        String what = "piece " + header.index();
        Seal seal = incoming.seal;
        long pieces = seal != null ? seal.pieces() : mostPieces(manifest);
        if (header.index() >= pieces) {
            throw new RefusedTransfer(what + ": expected an index below " + pieces + ", found " + header.index());
        }
        if (header.length() < 1 || header.length() > manifest.pieceSize()) {
            throw new RefusedTransfer(
                    what + ": expected 1.." + manifest.pieceSize() + " bytes, found " + header.length());
        }
        if (manifest.tree()) {
            treePiece(header, what);
        } else if (header.kind() == PieceHeader.Kind.PACK || header.entry().isPresent()) {
            throw new RefusedTransfer(what + ": expected a range of a single file, found one of a tree");
        } else {
            long end = seal != null ? seal.length() : manifest.length();
            inside(what, header, end >= 0 ? end : longest);
        }
    }

    /** A few bytes with a lying index would take 32 MiB of memory for each transfer, at every start. */
    void memory(Incoming incoming, long index, Collection<Incoming> active) {
        if (index < Math.max(FEW_PIECES, incoming.have.size())) {
            return;
        }
        long others = active.stream()
                .filter(each -> each != incoming)
                .mapToLong(each -> each.have.size() / Byte.SIZE)
                .sum();
        if (others + index / Byte.SIZE > mostBitmapBytes) {
            throw new RefusedTransfer("piece " + index + ": expected bitmaps of pieces of at most " + mostBitmapBytes
                    + " bytes in memory, found one of " + index / Byte.SIZE + " bytes beside " + others
                    + " bytes of other transfers");
        }
    }

    private void treePiece(PieceHeader header, String what) {
        if (header.kind() == PieceHeader.Kind.PACK) {
            return;
        }
        Entry entry = header.entry()
                .orElseThrow(
                        () -> new RefusedTransfer(what + ": expected a pack or a range of an entry, found no entry"));
        if (entry.type() != EntryType.FILE) {
            throw new RefusedTransfer(what + ": expected an entry that is a file, found " + entry.type() + " "
                    + Names.shown(entry.path()));
        }
        length("entry " + Names.shown(entry.path()), entry.length());
        inside(what, header, entry.length());
    }

    private static void inside(String what, PieceHeader header, long end) {
        if (header.offset() > end - header.length()) {
            throw new RefusedTransfer(what + ": expected an end within " + end + " bytes, found offset "
                    + header.offset() + " and length " + header.length());
        }
    }

    void seal(Incoming incoming, Seal seal) {
        Manifest manifest = incoming.manifest;
        if (incoming.seal != null) {
            throw new RefusedTransfer("a second seal differs from the first");
        }
        if (manifest.length() >= 0 && manifest.length() != seal.length()) {
            throw new RefusedTransfer(
                    "seal: expected length " + manifest.length() + " of the manifest, found " + seal.length());
        }
        if (!manifest.tree() && seal.entries() != 1) {
            throw new RefusedTransfer("seal: expected 1 entry of a single file, found " + seal.entries());
        }
        length("seal: length", seal.length());
        long most = mostPieces(manifest);
        boolean exact = !manifest.tree() && manifest.length() >= 0;
        if (seal.pieces() > most || exact && seal.pieces() != most) {
            throw new RefusedTransfer(
                    "seal: expected " + (exact ? "" : "at most ") + most + " pieces, found " + seal.pieces());
        }
        if (incoming.have.length() > seal.pieces()) {
            throw new RefusedTransfer("seal: expected more pieces than index " + (incoming.have.length() - 1)
                    + ", found " + seal.pieces());
        }
    }

    private static long mostPieces(Manifest manifest) {
        return manifest.tree() || manifest.length() < 0 ? MAX_PIECES : piecesOf(manifest);
    }

    /** Returns how many pieces cover the length, none while it is unknown. */
    private static long piecesOf(Manifest manifest) {
        return manifest.length() <= 0 ? 0 : (manifest.length() - 1) / manifest.pieceSize() + 1;
    }

    private void length(String what, long length) {
        if (length > longest) {
            throw new RefusedTransfer(what + ": expected at most " + longest + " bytes, " + SPARSE_FACTOR
                    + " times the capacity of the disk, found " + length);
        }
    }
}
