package io.longhaul.agent.receive;

import io.longhaul.storage.Disk;
import io.longhaul.storage.StorageException;
import java.nio.file.Path;

/**
 * Keeps the floor of free space on the target's file system: asks the system now and then, and refuses before a write
 * would pass the floor. May be used from any thread.
 */
final class SpaceGuard {
    private static final long ASK_EVERY_BYTES = 64L * 1024 * 1024;
    /** What is above the floor is for other subscriptions, too: one takes no more than such a part without asking. */
    private static final int SHARE = 64;

    private final Disk disk;
    private final Path path;
    private final long floorBytes;
    private long allowance; // guarded by this

    SpaceGuard(Disk disk, Path path, long floorBytes) {
        this.disk = disk;
        this.path = path;
        this.floorBytes = floorBytes;
    }

    /** Throws NO_SPACE when these bytes would pass the floor. */
    synchronized void take(long bytes) {
        if (allowance < bytes) {
            long free = disk.usableSpace(path);
            if (free - floorBytes < bytes) {
                throw new StorageException(
                        StorageException.Code.NO_SPACE,
                        "no space for " + path + ": needed " + bytes + " bytes above the floor of " + floorBytes
                                + " bytes, free " + free + " bytes");
            }
            allowance = Math.max(bytes, Math.min((free - floorBytes) / SHARE, ASK_EVERY_BYTES));
        }
        allowance -= bytes;
    }
}
