package io.longhaul.gridftp.range;

/**
 * Contiguous bytes of a file.
 *
 * @param start first byte
 * @param end first byte behind it; the range is empty when it equals {@code start}
 */
public record ByteRange(long start, long end) {
    /** Checks the order. */
    public ByteRange {
        if (start < 0 || end < start) {
            throw new IllegalArgumentException("range: expected 0 <= start <= end, found " + start + "-" + end);
        }
    }

    public long length() {
        return end - start;
    }

    public boolean isEmpty() {
        return start == end;
    }

    /** Returns the range as markers write it: {@code start-end}, where end is the first byte behind. */
    @Override
    public String toString() {
        return start + "-" + end;
    }
}
