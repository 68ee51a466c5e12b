package io.longhaul.agent.publish;

import io.longhaul.storage.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * What the file system says of a name, links not followed.
 *
 * @param mode type and permission bits as in {@code st_mode} of POSIX
 * @param identity how the file is recognised
 * @param changedNanos time of the last change of the inode, which no program can set back
 */
record SourceStat(int mode, SourceIdentity identity, long changedNanos) {
    private static final String ATTRIBUTES = "unix:mode,ino,size,lastModifiedTime,ctime";
    private static final int TYPE_MASK = 0170000;
    private static final int PERMISSION_MASK = 07777;

    /** Reads it; throws {@link SourceException} when the name is gone or may not be seen. */
    static SourceStat of(Path path) {
        try {
            Map<String, Object> found = Files.readAttributes(path, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
            return new SourceStat(
                    (Integer) attribute(found, "mode"),
                    new SourceIdentity(
                            String.valueOf(attribute(found, "ino")),
                            (Long) attribute(found, "size"),
                            nanos(attribute(found, "lastModifiedTime"))),
                    nanos(attribute(found, "ctime")));
        } catch (NoSuchFileException e) {
            throw new SourceException("source " + SourceNames.shown(path) + " does not exist", e);
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    static SourceException unreadable(Path path, IOException e) {
        return new SourceException(
                "source " + SourceNames.shown(path) + " cannot be read: " + StorageException.reason(e), e);
    }

    private static Object attribute(Map<String, Object> found, String name) {
        return Objects.requireNonNull(found.get(name), name);
    }

    private static long nanos(Object time) {
        return ((FileTime) time).to(TimeUnit.NANOSECONDS);
    }

    /**
     * Returns what has changed since, for a message; empty when nothing has. Stricter than {@link SourceIdentity}: who writes
     * while it is read may set the time of that back, and nobody could tell that old and new bytes are mixed.
     */
    String changed(SourceStat now) {
        String difference = identity.difference(now.identity);
        return difference.isEmpty() && changedNanos != now.changedNanos
                ? "it was written to or its attributes were changed: expected change time " + changedNanos
                        + " ns, found " + now.changedNanos
                : difference;
    }

    boolean isFile() {
        return (mode & TYPE_MASK) == 0100000;
    }

    boolean isDirectory() {
        return (mode & TYPE_MASK) == 0040000;
    }

    boolean isLink() {
        return (mode & TYPE_MASK) == 0120000;
    }

    int permissions() {
        return mode & PERMISSION_MASK;
    }

    /** Returns the word for the kind of file, for messages. */
    String kind() {
        return switch (mode & TYPE_MASK) {
            case 0100000 -> "file";
            case 0040000 -> "directory";
            case 0120000 -> "symbolic link";
            case 0010000 -> "FIFO";
            case 0140000 -> "socket";
            case 0020000 -> "character device";
            case 0060000 -> "block device";
            default -> "special file";
        };
    }
}
