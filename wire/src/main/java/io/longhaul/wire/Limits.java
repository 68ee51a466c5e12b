package io.longhaul.wire;

/** The bounds of every number that arrives from the wire. */
public final class Limits {
    /** Longest file, in bytes: 2^60. */
    public static final long MAX_LENGTH = 1L << 60;

    /** Most entries of a tree: ledgers keep an entry's number in 32 bits. */
    public static final long MAX_ENTRIES = 1L << 32;

    /** Most pieces of a transfer: a bitmap of them must fit a message. */
    public static final long MAX_PIECES = Integer.MAX_VALUE - 8L;

    /** Smallest piece size, in bytes. */
    public static final int MIN_PIECE_SIZE = 4 * 1024;

    /** Largest piece size, in bytes: pieces stay below the broker's journal buffer. */
    public static final int MAX_PIECE_SIZE = 4 * 1024 * 1024;

    /** Longest body of a message that is not a piece, in bytes. */
    public static final int MAX_CONTROL_BYTES = 1024 * 1024;

    /** Longest body of a parcel, in bytes: as a piece's. */
    public static final int MAX_PARCEL_BYTES = MAX_PIECE_SIZE;

    /** Longest reason that a frame carries, in characters. */
    public static final int MAX_REASON = 1000;

    private Limits() {}

    /** Returns the value when it lies in the closed range; throws {@link WireException} that names the field otherwise. */
    public static long range(String field, long value, long least, long most) {
        if (value < least || value > most) {
            throw new WireException(field + ": expected " + least + ".." + most + ", found " + value);
        }
        return value;
    }

    /** Returns the reason, cut to {@link #MAX_REASON} characters: it is for people, so a long one is no fault. */
    static String reason(String reason) {
        return reason.length() <= MAX_REASON ? reason : reason.substring(0, MAX_REASON);
    }
}
