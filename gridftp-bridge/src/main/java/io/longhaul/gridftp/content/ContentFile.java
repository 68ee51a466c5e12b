package io.longhaul.gridftp.content;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.storage.DirectWrites;
import io.longhaul.storage.Disk;
import io.longhaul.storage.DiskFile;
import io.longhaul.storage.StorageException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The bytes of a content: open while somebody uses it, and no longer. Thread-safe. */
final class ContentFile {
    private final Path path;
    private final Disk disk;
    private final Space space;
    private final KeptBlocks kept;

    private @Nullable DiskFile file; // guarded by this
    private int pins; // guarded by this
    private int uses; // guarded by this
    private final ByteRanges touched = new ByteRanges(); // guarded by this
    private boolean namesForced; // guarded by this
    private boolean evictable; // guarded by this
    private @Nullable StorageException failedForce; // guarded by this
    private boolean removed; // guarded by this

    /** Sees to it that the disk does not fill up. */
    interface Space {
        /** Throws {@link StorageException} {@code NO_SPACE} when so many bytes more are too much. */
        void take(int bytes);
    }

    /**
     * Opens nothing yet.
     *
     * @param kept for what is read once, soon after it was written
     */
    ContentFile(Path path, Disk disk, Space space, KeptBlocks kept) {
        this.path = path;
        this.disk = disk;
        this.space = space;
        this.kept = kept;
    }

    /** Takes the file as it is: what is in it may be anything where nobody knows. */
    void recover() {
        DiskFile open = begin();
        try {
            long length = open.length();
            synchronized (this) {
                touched.add(0, length);
            }
        } finally {
            end();
        }
    }

    /** Throws when its use has ended. */
    synchronized void check() {
        if (removed) {
            throw new StorageException(StorageException.Code.CLOSED, path + ": has been removed");
        }
    }

    private synchronized DiskFile begin() {
        check();
        if (file == null) {
            file = disk.open(path);
        }
        uses++;
        return file;
    }

    private synchronized void end() {
        uses--;
        closeIfUnused();
    }

    private synchronized void closeIfUnused() {
        if (pins == 0 && uses == 0 && file != null) {
            file.close();
            file = null;
        }
    }

    void write(ByteBuffer bytes, long position) {
        write(bytes, position, DiskFile::write);
    }

    /** Writes a block that the caller leaves to this file, for a reader who follows: past the page cache, if it can be kept. */
    void writeAhead(ByteBuffer block, long position) {
        int length = block.remaining();
        if (length < DirectWrites.LEAST_BYTES || !kept.take(length)) {
            write(block, position);
            return;
        }
        boolean done = false;
        try {
            write(block.duplicate(), position, DiskFile::writeDirect);
            kept.put(position, block);
            done = true;
        } finally {
            if (!done) {
                kept.give(length);
            }
        }
        if (isUnwanted()) {
            forgetKept(); // its reader went while it was written
        }
    }

    private synchronized boolean isUnwanted() {
        return evictable;
    }

    private interface Write {
        void to(DiskFile file, ByteBuffer bytes, long position);
    }

    private void write(ByteBuffer bytes, long position, Write write) {
        space.take(bytes.remaining());
        DiskFile open = begin();
        try {
            synchronized (this) {
                // even a write that fails may leave something
                touched.add(position, position + bytes.remaining());
            }
            write.to(open, bytes, position);
        } finally {
            end();
        }
    }

    /** Fills the buffer; what lies behind the end of the file is zeros. */
    void read(ByteBuffer into, long position) {
        check();
        long at = position;
        while (into.hasRemaining()) {
            int found = kept.read(at, into);
            at += found == 0 ? readFile(into, at) : found;
        }
    }

    /** Reads until the next block that is kept. */
    private int readFile(ByteBuffer into, long position) {
        int length = (int) Math.min(into.remaining(), kept.next(position) - position);
        ByteBuffer part = into.slice(into.position(), length);
        DiskFile open = begin();
        try {
            open.read(part, position);
        } finally {
            end();
        }
        while (part.hasRemaining()) {
            part.put((byte) 0);
        }
        into.position(into.position() + length);
        return length;
    }

    /** Makes the bytes durable. A force that fails once has lost bytes, and a later one would not tell. */
    void force() {
        DiskFile open = begin();
        try {
            synchronized (this) {
                if (failedForce != null) {
                    throw failedForce;
                }
            }
            open.force();
        } catch (StorageException e) {
            synchronized (this) {
                failedForce = e;
            }
            throw e;
        } finally {
            end();
        }
    }

    /** Makes the names of the file and its sidecar durable. */
    void forceNames() {
        synchronized (this) {
            if (namesForced) {
                return;
            }
        }
        disk.syncDirectory(path.resolveSibling("."));
        synchronized (this) {
            namesForced = true;
        }
    }

    /** Returns whether nothing was ever written there, so that all bytes are zero. */
    synchronized boolean isHole(ByteRange range) {
        return touched.within(range).isEmpty();
    }

    synchronized void pin() {
        pins++;
    }

    synchronized void unpin() {
        pins--;
        closeIfUnused();
    }

    synchronized void evictable(boolean unwanted) {
        evictable = unwanted;
        if (unwanted) {
            forgetKept();
        }
    }

    /** Forgets what is kept in memory: nobody will read it, or it changes. */
    void forgetKept() {
        kept.forget();
    }

    synchronized boolean isEvictable() {
        return evictable && pins == 0 && !removed;
    }

    /** Ends its use, if nobody has begun any since it was looked at; returns whether it did. */
    synchronized boolean retireIfEvictable() {
        if (!isEvictable()) {
            return false;
        }
        retire();
        return true;
    }

    /** Ends its use: who has it open gets failures. */
    synchronized void retire() {
        removed = true;
        kept.end();
    }
}
