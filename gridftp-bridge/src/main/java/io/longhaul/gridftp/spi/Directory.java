package io.longhaul.gridftp.spi;

import java.util.List;

/**
 * A directory as it was looked at.
 *
 * @param self what it is itself
 * @param entries what is in it, in no order
 */
public record Directory(Entry self, List<Entry> entries) {
    /** Keeps a copy. */
    public Directory {
        entries = List.copyOf(entries);
    }
}
