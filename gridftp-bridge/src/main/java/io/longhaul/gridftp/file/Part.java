package io.longhaul.gridftp.file;

import io.longhaul.gridftp.range.ByteRanges;
import java.nio.file.Path;

/**
 * A file that is not whole yet.
 *
 * @param place where its bytes are
 * @param target where it will be
 * @param ranges which of its bytes are there; guarded by this object
 */
record Part(Path place, Path target, ByteRanges ranges) {
    synchronized void add(long start, long end) {
        ranges.add(start, end);
    }

    /** Returns a copy. */
    synchronized ByteRanges copy() {
        ByteRanges copy = new ByteRanges();
        copy.addAll(ranges);
        return copy;
    }
}
