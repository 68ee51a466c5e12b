package io.longhaul.agent;

import io.longhaul.storage.Floor;
import io.longhaul.storage.StorageException;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How much of a file system an agent leaves free. */
final class DiskFloor {
    private static final Logger LOG = LoggerFactory.getLogger(DiskFloor.class);
    static final long MOST_BYTES = 64L * 1024 * 1024;

    private DiskFloor() {}

    /** Returns what was asked for, or what suits the file system that a directory is on or will be made on. */
    static long of(OptionalLong asked, Path directory) {
        if (asked.isPresent()) {
            return asked.getAsLong();
        }
        try {
            return Floor.on(directory, MOST_BYTES);
        } catch (StorageException e) {
            LOG.debug("{}: the floor is that of a large disk", directory, e);
            return MOST_BYTES;
        }
    }
}
