package io.longhaul.storage;

import java.nio.file.Path;

/**
 * Everything that Longhaul does to files and must survive a power loss; the seam at which tests forget what was not
 * forced.
 *
 * <p>Every failure is a {@link StorageException} that names the path; a full disk has code
 * {@link StorageException.Code#NO_SPACE}. May be called from any thread. Symbolic links are never followed at the last
 * component of a path.
 */
public interface Disk {

    /** Returns the disk of this machine. */
    static Disk real() {
        return RealDisk.INSTANCE;
    }

    /** Opens an existing file for reading and writing, or creates it empty; refuses symbolic links. */
    DiskFile open(Path path);

    /**
     * Creates an empty file and opens it for reading and writing; throws {@link PathRefusedException} when the name is
     * taken, by a link too. Its name is durable only after {@link #syncDirectory} of the parent.
     */
    DiskFile create(Path path);

    /** Opens an existing file for reading; refuses symbolic links. */
    DiskFile openForReading(Path path);

    /** Creates the directory and its missing parents and makes their names durable. */
    void createDirectories(Path directory);

    /**
     * As {@link #createDirectories}; where the directory itself is missing, only its owner may use it, and where parents are,
     * only their owner may write to them.
     */
    void createPrivateDirectory(Path directory);

    /** Creates one directory; its name is durable only after {@link #syncDirectory} of the parent. */
    void createDirectory(Path directory);

    /** Creates a symbolic link; its name is durable only after {@link #syncDirectory} of the parent. */
    void createSymbolicLink(Path link, String target);

    /** Creates a hard link; its name is durable only after {@link #syncDirectory} of the parent. */
    void createLink(Path link, Path existing);

    /** Renames atomically, replacing a file of that name; durable only after {@link #syncDirectory} of the parents. */
    void rename(Path from, Path to);

    /** Removes a file, link or empty directory if it exists; durable only after {@link #syncDirectory} of the parent. */
    void delete(Path path);

    /** Removes a directory with all that is in it, without following links, if it exists. */
    void deleteTree(Path directory);

    /** Makes creations, renames and removals of names in the directory durable. */
    void syncDirectory(Path directory);

    /** Returns whether {@link #syncFileSystem} works for this directory, now, and not at the price of much that others wrote. */
    boolean canSyncFileSystem(Path directory);

    /** Makes everything on the directory's file system durable: bytes, names and attributes. */
    void syncFileSystem(Path directory);

    /**
     * Sets permission bits (07777) and modification time; durable after {@link DiskFile#force} or, for directories,
     * {@link #syncDirectory}.
     */
    void setAttributes(Path path, int mode, long modifiedNanos);

    /** Returns the bytes that may still be written on the file system of the path. */
    long usableSpace(Path path);
}
