package io.longhaul.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a process keeps what is its own: for its user alone, and behind links, which a {@link Disk} does not follow. */
public final class DataDirectory {
    private DataDirectory() {}

    /**
     * Makes the directory where it is missing, and leaves the mode of one that is there.
     *
     * @return its real path
     * @throws StorageException when it cannot be made, or is none
     */
    public static Path make(Path directory, Disk disk) {
        Path there = resolved(directory);
        disk.createPrivateDirectory(there);
        return real(there);
    }

    /** Returns what a link to a directory leads to. */
    static Path resolved(Path directory) {
        return Files.isDirectory(directory) ? real(directory) : directory;
    }

    private static Path real(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException e) {
            throw DiskFailure.of("resolve", directory, 0, e);
        }
    }
}
