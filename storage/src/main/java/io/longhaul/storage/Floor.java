package io.longhaul.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much of a file system stays free where nobody says how much: so many bytes, or 5 % where that is less. */
public final class Floor {
    private static final int SHARE = 20; // so that a small one has room above it

    private Floor() {}

    /**
     * Returns what suits the file system that a directory is on, or will be made on.
     *
     * @throws StorageException when the size of the file system is not known
     */
    public static long on(Path directory, long mostBytes) {
        Path existing = RealDisk.nearestExisting(directory);
        try {
            return ofTotal(Files.getFileStore(existing).getTotalSpace(), mostBytes);
        } catch (IOException e) {
            throw new StorageException(StorageException.Code.IO, existing + ": the size of its disk is not known", e);
        }
    }

    /** Returns what suits a file system of this size. */
    public static long ofTotal(long totalBytes, long mostBytes) {
        return Math.min(mostBytes, totalBytes / SHARE);
    }
}
