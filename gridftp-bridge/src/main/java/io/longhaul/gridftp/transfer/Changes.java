package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.storage.Disk;
import io.longhaul.storage.DiskFile;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Tells versions of a file apart that this process and its predecessors have made: a path has a mark, and another one after each
 * change.
 *
 * <p>Length, time and inode do not tell them apart: clients set times, and a file system gives the next file the inode of the one
 * that was removed. Paths share some thousand marks: a change of one path makes a few others look changed, too, which costs no more
 * than reading them again. Thread-safe.
 */
final class Changes implements AutoCloseable {
    private static final String FILE = "changes";
    private static final int MARKS = 65_536;

    private final World world;
    private final DiskFile file;
    private final LongBuffer marks; // guarded by this
    private volatile Consumer<FilePath> listener = path -> {};

    private Changes(World world, DiskFile file, LongBuffer marks) {
        this.world = world;
        this.file = file;
        this.marks = marks;
    }

    /** Opens the file with the marks beside the contents, or makes it. */
    static Changes open(World world, Disk disk) {
        Path directory = world.store().directory();
        DiskFile file = disk.open(directory.resolve(FILE));
        try {
            ByteBuffer bytes = ByteBuffer.allocate(MARKS * Long.BYTES);
            if (file.length() == bytes.capacity()) {
                file.read(bytes, 0);
            } else {
                world.random().nextBytes(bytes.array());
                file.write(bytes.duplicate(), 0);
                file.force();
                disk.syncDirectory(directory);
            }
            return new Changes(world, file, bytes.clear().asLongBuffer());
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** Says who is to hear of each path when it is changed; on any thread. */
    void onChange(Consumer<FilePath> told) {
        listener = told;
    }

    /** Returns the marks of a path and of the directories above it. */
    synchronized String of(FilePath path) {
        StringBuilder text = new StringBuilder();
        FilePath each = path;
        while (!each.isRoot()) {
            text.append(Long.toHexString(marks.get(place(each)))).append('.');
            each = each.parent();
        }
        return text.toString();
    }

    /**
     * Gives paths, and so everything below them, other marks once they may have been changed; these are durable before the future
     * completes.
     *
     * @param done by which they are
     * @return the same, later
     */
    <T> CompletableFuture<T> after(List<FilePath> paths, CompletableFuture<T> done) {
        return done.handle((result, failure) -> world.onDisk(world.disk(), () -> {
                    paths.forEach(this::changed);
                    file.force();
                    paths.forEach(listener);
                    return done;
                }))
                .thenCompose(Function.identity())
                .thenCompose(Function.identity());
    }

    private synchronized void changed(FilePath path) {
        int place = place(path);
        long mark = world.random().nextLong();
        marks.put(place, mark);
        file.write(ByteBuffer.allocate(Long.BYTES).putLong(0, mark), (long) place * Long.BYTES);
    }

    private static int place(FilePath path) {
        int hash = path.toString().hashCode();
        return (hash ^ hash >>> 16) & MARKS - 1;
    }

    @Override
    public void close() {
        file.close();
    }
}
