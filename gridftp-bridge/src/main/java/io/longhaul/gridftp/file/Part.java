package io.longhaul.gridftp.file;

import io.longhaul.gridftp.range.ByteRanges;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file that is not whole yet.
 *
 * @param place where its bytes are
 * @param note by which a later process finds it, if it lies where nobody would look for it
 * @param target where it will be
 * @param ranges which of its bytes are there; guarded by this object
 */
record Part(Path place, Optional<Path> note, Path target, ByteRanges ranges) {
    synchronized void add(long start, long end) {
        ranges.add(start, end);
    }

    /** Removes what is there of it; nothing is when it has become the file. */
    void remove() throws IOException {
        Files.deleteIfExists(place);
        try {
            if (note.isPresent()) {
                Files.deleteIfExists(note.get());
            }
        } catch (IOException e) {
            // it leads nowhere, and goes with the workplace
        }
    }

    /** Returns a copy. */
    synchronized ByteRanges copy() {
        ByteRanges copy = new ByteRanges();
        copy.addAll(ranges);
        return copy;
    }
}
