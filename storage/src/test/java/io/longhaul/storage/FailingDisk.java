package io.longhaul.storage;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A disk of which some forces or writes fail, or that claims to be full. */
final class FailingDisk implements Disk {
    private final Disk disk;
    private int forcesToFail;
    private volatile boolean full;
    private volatile boolean overQuota;

    FailingDisk(Disk disk) {
        this.disk = disk;
    }

    /** Lets the next forces fail. */
    synchronized void failForces(int count) {
        forcesToFail = count;
    }

    /** From now on writes that lengthen a file fail, and no space is said to be left. */
    void full(boolean now) {
        full = now;
    }

    /** From now on writes that lengthen a file fail, although space is said to be left, as where a user's quota ends. */
    void overQuota(boolean now) {
        overQuota = now;
    }

    private synchronized void force(DiskFile file) {
        if (forcesToFail > 0) {
            forcesToFail--;
            throw new StorageException(StorageException.Code.IO, "sync failed");
        }
        file.force();
    }

    @Override
    public DiskFile open(Path path) {
        return failing(path, disk.open(path));
    }

    @Override
    public DiskFile create(Path path) {
        return failing(path, disk.create(path));
    }

    private DiskFile failing(Path path, DiskFile file) {
        return new DiskFile() {
            @Override
            public void write(ByteBuffer bytes, long position) {
                if ((full || overQuota) && position + bytes.remaining() > file.length()) {
                    throw new StorageException(
                            StorageException.Code.NO_SPACE, DiskFailure.noSpace(path, bytes.remaining(), 0));
                }
                file.write(bytes, position);
            }

            @Override
            public int read(ByteBuffer into, long position) {
                return file.read(into, position);
            }

            @Override
            public void force() {
                FailingDisk.this.force(file);
            }

            @Override
            public void setLength(long length) {
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
        };
    }

    @Override
    public DiskFile openForReading(Path path) {
        return disk.openForReading(path);
    }

    @Override
    public void createDirectories(Path directory) {
        disk.createDirectories(directory);
    }

    @Override
    public void createPrivateDirectory(Path directory) {
        disk.createPrivateDirectory(directory);
    }

    @Override
    public void createDirectory(Path directory) {
        disk.createDirectory(directory);
    }

    @Override
    public void createSymbolicLink(Path link, String target) {
        disk.createSymbolicLink(link, target);
    }

    @Override
    public void createLink(Path link, Path existing) {
        disk.createLink(link, existing);
    }

    @Override
    public void rename(Path from, Path to) {
        disk.rename(from, to);
    }

    @Override
    public void delete(Path path) {
        disk.delete(path);
    }

    @Override
    public void deleteTree(Path directory) {
        disk.deleteTree(directory);
    }

    @Override
    public void syncDirectory(Path directory) {
        disk.syncDirectory(directory);
    }

    @Override
    public boolean canSyncFileSystem(Path directory) {
        return disk.canSyncFileSystem(directory);
    }

    @Override
    public void syncFileSystem(Path directory) {
        disk.syncFileSystem(directory);
    }

    @Override
    public void setAttributes(Path path, int mode, long modifiedNanos) {
        disk.setAttributes(path, mode, modifiedNanos);
    }

    @Override
    public long usableSpace(Path path) {
        return full ? 0 : disk.usableSpace(path);
    }
}
