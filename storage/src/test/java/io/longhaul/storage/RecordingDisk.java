package io.longhaul.storage;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A disk that writes down, in order, what is done to it, as {@code "write NAME"}, {@code "force NAME"}, {@code "rename
 * NAME NAME"}, {@code "sync NAME"} and so on, with file names without directories; tests add events of their own.
 */
public final class RecordingDisk implements Disk {
    private final Disk disk;
    private final List<String> events = new CopyOnWriteArrayList<>();

    public RecordingDisk(Disk disk) {
        this.disk = disk;
    }

    /** Adds an event, for what happens beside the disk: a commit that is done, a message that is acknowledged. */
    public void record(String event) {
        events.add(event);
    }

    public List<String> events() {
        return List.copyOf(events);
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    @Override
    public DiskFile open(Path path) {
        record("open " + name(path));
        return new Recorded(name(path), disk.open(path));
    }

    @Override
    public DiskFile create(Path path) {
        record("create " + name(path));
        return new Recorded(name(path), disk.create(path));
    }

    @Override
    public DiskFile openForReading(Path path) {
        return disk.openForReading(path);
    }

    @Override
    public void createDirectories(Path directory) {
        record("create-directories " + name(directory));
        disk.createDirectories(directory);
    }

    @Override
    public void createPrivateDirectory(Path directory) {
        record("create-directories " + name(directory));
        disk.createPrivateDirectory(directory);
    }

    @Override
    public void createDirectory(Path directory) {
        record("create-directory " + name(directory));
        disk.createDirectory(directory);
    }

    @Override
    public void createSymbolicLink(Path link, String target) {
        record("symbolic-link " + name(link));
        disk.createSymbolicLink(link, target);
    }

    @Override
    public void createLink(Path link, Path existing) {
        record("link " + name(link) + " " + name(existing));
        disk.createLink(link, existing);
    }

    @Override
    public void rename(Path from, Path to) {
        record("rename " + name(from) + " " + name(to));
        disk.rename(from, to);
    }

    @Override
    public void delete(Path path) {
        record("delete " + name(path));
        disk.delete(path);
    }

    @Override
    public void deleteTree(Path directory) {
        record("delete-tree " + name(directory));
        disk.deleteTree(directory);
    }

    @Override
    public void syncDirectory(Path directory) {
        disk.syncDirectory(directory);
        record("sync " + name(directory));
    }

    @Override
    public boolean canSyncFileSystem(Path directory) {
        return disk.canSyncFileSystem(directory);
    }

    @Override
    public void syncFileSystem(Path directory) {
        disk.syncFileSystem(directory);
        record("sync-file-system " + name(directory));
    }

    @Override
    public void setAttributes(Path path, int mode, long modifiedNanos) {
        record("attributes " + name(path));
        disk.setAttributes(path, mode, modifiedNanos);
    }

    @Override
    public long usableSpace(Path path) {
        return disk.usableSpace(path);
    }

    private final class Recorded implements DiskFile {
        private final String name;
        private final DiskFile file;

        Recorded(String name, DiskFile file) {
            this.name = name;
            this.file = file;
        }

        @Override
        public void write(ByteBuffer bytes, long position) {
            record("write " + name);
            file.write(bytes, position);
        }

        @Override
        public int read(ByteBuffer into, long position) {
            return file.read(into, position);
        }

        /** Recorded when it is done: what follows in the list came after it. */
        @Override
        public void force() {
            file.force();
            record("force " + name);
        }

        @Override
        public void setLength(long length) {
            record("set-length " + name);
            file.setLength(length);
        }

        @Override
        public long length() {
            return file.length();
        }

        @Override
        public void close() {
            file.close();
        }
    }
}
