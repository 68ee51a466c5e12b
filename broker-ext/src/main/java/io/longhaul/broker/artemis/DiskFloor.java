package io.longhaul.broker.artemis;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops intake before the disk is full: a journal or page that cannot be written would stop the whole server.
 *
 * <h2>Design</h2>
 * Free space is read every {@value #PERIOD_MILLIS} ms. In between every admitted byte counts as spent twice, once for
 * the record and once for a journal file that may have to be made for it; when that uses up what was above the floor,
 * the space is read again at once. The floor is never less than two journal files, so that a file that is just being
 * made and what other processes write between two looks fit below it. A disk without inodes is full as well.
 *
 * <p>Thread-safe.
 */
final class DiskFloor {
    /** Frames below this that say something about others are admitted at the floor: they help to get off it. */
    static final int SMALL_BYTES = 16 * 1024;

    static final long PERIOD_MILLIS = 250;
    private static final Logger LOG = LoggerFactory.getLogger(DiskFloor.class);
    private static final long LEAST_BYTES = 2L * ServerSettings.Memory.JOURNAL_FILE_BYTES;

    private final Path data;
    private final FreeSpace space;
    private final long floorBytes;
    private final AtomicLong headroom = new AtomicLong();
    private volatile long freeBytes;
    private volatile String shortage = "";
    private boolean paused; // guarded by this

    /** How free space is read. */
    @FunctionalInterface
    interface FreeSpace {
        long usableBytes() throws IOException;

        /** Returns what is short although there are bytes. */
        default Optional<String> otherShortage() {
            return Optional.empty();
        }

        static FreeSpace of(Path directory) throws IOException {
            FileStore store = Files.getFileStore(directory);
            FreeInodes inodes = FreeInodes.of(directory);
            return new FreeSpace() {
                @Override
                public long usableBytes() throws IOException {
                    return store.getUsableSpace();
                }

                @Override
                public Optional<String> otherShortage() {
                    return inodes.shortage();
                }
            };
        }
    }

    DiskFloor(Path data, FreeSpace space, long floorBytes) {
        this(data, Math.max(floorBytes, LEAST_BYTES), space);
        if (floorBytes < LEAST_BYTES) {
            LOG.warn(
                    "disk-floor: expected at least {} bytes, found {}; intake stops below {} bytes free",
                    LEAST_BYTES,
                    floorBytes,
                    LEAST_BYTES);
        }
    }

    private DiskFloor(Path data, long floorBytes, FreeSpace space) {
        this.data = data;
        this.space = space;
        this.floorBytes = floorBytes;
    }

    /** Returns one that never stops intake, for a broker that writes nothing of what it takes. */
    static DiskFloor none(Path data, FreeSpace space) {
        return new DiskFloor(data, 0, space);
    }

    /** Reads the free space; says once when intake stops and once when it goes on. */
    synchronized void look() {
        try {
            freeBytes = space.usableBytes();
        } catch (IOException e) {
            LOG.warn("data {}: free space cannot be read, intake stops: {}", data, e.toString());
            freeBytes = 0;
        }
        Optional<String> other = floorBytes == 0 ? Optional.empty() : space.otherShortage();
        boolean below = freeBytes < floorBytes || other.isPresent();
        shortage = "disk of " + data + ": " + other.orElse("needed " + floorBytes + " bytes free, found " + freeBytes);
        headroom.set(other.isPresent() ? -1 : freeBytes - floorBytes);
        if (below && !paused) {
            LOG.warn("intake stops: {}", shortage);
        } else if (!below && paused) {
            LOG.info("intake goes on: data {} has {} bytes free", data, freeBytes);
        }
        paused = below;
    }

    /** Counts a frame against the space left, or returns why it cannot come in. */
    Optional<String> admit(int frameBytes) {
        if (headroom.addAndGet(-2L * frameBytes) <= 0) {
            look();
            if (headroom.get() < 0) {
                return Optional.of(shortage);
            }
        }
        return Optional.empty();
    }

    synchronized boolean isPaused() {
        return paused;
    }

    long freeBytes() {
        return freeBytes;
    }

    /** Returns the free space below which nothing is admitted: what was asked for, or the least. */
    long floorBytes() {
        return floorBytes;
    }
}
