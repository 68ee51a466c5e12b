package io.longhaul.wire;

/**
 * What is only known at the end of a transfer.
 *
 * @param transfer identity of the transfer
 * @param length bytes of the file, or of all files of the tree
 * @param digest SHA-256 in lower-case hexadecimal: of the file's bytes, or of the tree as {@link TreeDigest} defines
 * @param pieces how many pieces there are, indexed from 0
 * @param entries how many entries the tree has; 1 for a file
 */
public record Seal(TransferId transfer, long length, String digest, long pieces, long entries) implements Frame {
    public Seal {
        Limits.range("length", length, 0, Limits.MAX_LENGTH);
        Limits.range("pieces", pieces, 0, Limits.MAX_PIECES);
        Limits.range("entries", entries, 0, Limits.MAX_ENTRIES);
        Digests.checkHex(digest);
    }

    @Override
    public FrameType type() {
        return FrameType.SEAL;
    }
}
