package io.longhaul.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How much of a file system stays free. */
final class DiskFloor {
    private static final Logger LOG = LoggerFactory.getLogger(DiskFloor.class);
    private static final long MOST_BYTES = 64L * 1024 * 1024;
    private static final int SHARE = 20; // so that a small one has room above it

    private DiskFloor() {}

    /** Returns what was asked for, or what suits the file system that a directory is on or will be made on. */
    static long of(OptionalLong asked, Path directory) {
        return asked.isPresent() ? asked.getAsLong() : ofTotal(totalBytes(directory));
    }

    /** Returns what suits a file system of this size. */
    static long ofTotal(long totalBytes) {
        return Math.min(MOST_BYTES, totalBytes / SHARE);
    }

    private static long totalBytes(Path directory) {
        Path there = directory.toAbsolutePath();
        while (there.getParent() != null && !Files.exists(there)) {
            there = there.getParent();
        }
        try {
            return Files.getFileStore(there).getTotalSpace();
        } catch (IOException e) {
            LOG.debug("{}: size of its file system not known", there, e);
            return Long.MAX_VALUE;
        }
    }
}
