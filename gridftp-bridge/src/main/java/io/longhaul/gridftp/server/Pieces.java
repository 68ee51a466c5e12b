package io.longhaul.gridftp.server;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.Adler32;

/**
 * The ADLER32 (RFC 1950) of bytes that come in any order: that of two neighbours follows from theirs, so only the edges
 * have to be known. What comes twice makes a piece unknown. Thread-safe.
 *
 * <p>Pieces are not joined across multiples of {@value #GRAIN_BYTES} bytes, so that what is known of a file can be cut off
 * somewhere without losing the whole.
 */
final class Pieces {
    static final int GRAIN_BYTES = 16 * 1024 * 1024;
    private static final long BASE = 65_521;

    private final TreeMap<Long, Piece> pieces = new TreeMap<>(); // by starts; guarded by this

    /** Bytes up to an end, and their checksum unless it is unknown. */
    private record Piece(long end, long sum, boolean isKnown) {}

    /**
     * Contiguous bytes with a checksum.
     *
     * @param digits of their ADLER32
     */
    record Run(ByteRange range, String digits) {}

    /** Adds bytes, which stay as they are. */
    void add(long position, ByteBuf bytes) {
        long at = position;
        int index = bytes.readerIndex();
        int end = bytes.writerIndex();
        while (index < end) {
            int length = (int) Math.min(end - index, GRAIN_BYTES - at % GRAIN_BYTES);
            Adler32 sum = new Adler32();
            for (ByteBuffer buffer : bytes.nioBuffers(index, length)) {
                sum.update(buffer);
            }
            put(at, new Piece(at + length, sum.getValue(), true));
            at += length;
            index += length;
        }
    }

    /** Adds zeros. */
    synchronized void addZeros(ByteRange range) {
        for (long at = range.start(); at < range.end(); ) {
            long end = Math.min(range.end(), at - at % GRAIN_BYTES + GRAIN_BYTES);
            put(at, new Piece(end, (end - at) % BASE << Short.SIZE | 1, true));
            at = end;
        }
    }

    private synchronized void put(long start, Piece added) {
        long from = start;
        Piece joined = added;
        Map.Entry<Long, Piece> before = pieces.floorEntry(start);
        if (before != null && before.getValue().end() >= start && isJoined(before.getKey(), start)) {
            joined = join(before.getKey(), before.getValue(), from, joined);
            from = before.getKey();
        }
        Map.Entry<Long, Piece> after = pieces.higherEntry(from);
        while (after != null && after.getKey() <= joined.end() && isJoined(from, after.getKey())) {
            pieces.remove(after.getKey());
            joined = join(from, joined, after.getKey(), after.getValue());
            after = pieces.higherEntry(from);
        }
        pieces.put(from, joined);
    }

    private static boolean isJoined(long first, long second) {
        return first / GRAIN_BYTES == second / GRAIN_BYTES;
    }

    private static Piece join(long start, Piece first, long next, Piece second) {
        boolean touches = first.end() == next && first.isKnown() && second.isKnown();
        long end = Math.max(first.end(), second.end());
        return touches
                ? new Piece(end, combine(first.sum(), second.sum(), second.end() - next), true)
                : new Piece(Math.max(end, start), 0, false);
    }

    /** The checksum of two neighbours, the second of which has this length. */
    static long combine(long first, long second, long length) {
        long rest = length % BASE;
        long low = first & 0xffff;
        long sum = (low + (second & 0xffff) + BASE - 1) % BASE;
        long weighted = (rest * low + (first >>> Short.SIZE) + (second >>> Short.SIZE) + BASE - rest) % BASE;
        return weighted << Short.SIZE | sum;
    }

    /** Forgets what is not within the ranges. */
    synchronized void retain(List<ByteRange> ranges) {
        pieces.entrySet()
                .removeIf(piece -> ranges.stream()
                        .noneMatch(range -> range.start() <= piece.getKey()
                                && piece.getValue().end() <= range.end()));
    }

    /** Returns the bytes that were added, known or not. */
    synchronized ByteRanges covered() {
        ByteRanges covered = new ByteRanges();
        pieces.forEach((start, piece) -> covered.add(start, piece.end()));
        return covered;
    }

    /** Returns what is known, as few runs as possible, ascending. */
    synchronized List<Run> runs() {
        List<Run> runs = new ArrayList<>();
        long start = 0;
        long end = -1;
        long sum = 0;
        for (Map.Entry<Long, Piece> entry : pieces.entrySet()) {
            Piece piece = entry.getValue();
            if (!piece.isKnown()) {
                continue;
            }
            if (entry.getKey() == end) {
                sum = combine(sum, piece.sum(), piece.end() - end);
            } else {
                if (end >= 0) {
                    runs.add(run(start, end, sum));
                }
                start = entry.getKey();
                sum = piece.sum();
            }
            end = piece.end();
        }
        if (end >= 0) {
            runs.add(run(start, end, sum));
        }
        return runs;
    }

    private static Run run(long start, long end, long sum) {
        return new Run(new ByteRange(start, end), String.format(Locale.ROOT, "%08x", sum));
    }
}
