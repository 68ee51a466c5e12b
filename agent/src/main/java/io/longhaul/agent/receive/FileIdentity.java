package io.longhaul.agent.receive;

import io.longhaul.storage.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Which file a name meant at some moment, so that a later look tells whether it is still the same and untouched.
 *
 * @param inode number of the file on its file system
 * @param size bytes; 0 for a directory
 * @param modifiedNanos time of last modification, nanoseconds since the epoch
 */
record FileIdentity(long inode, long size, long modifiedNanos) {

    /** Returns the identity of what the path names, without following a link; empty when there is nothing. */
    static Optional<FileIdentity> of(Path path) {
        try {
            Map<String, Object> found =
                    Files.readAttributes(path, "unix:ino,size,lastModifiedTime,isDirectory", LinkOption.NOFOLLOW_LINKS);
            boolean directory = Boolean.TRUE.equals(found.get("isDirectory"));
            return Optional.of(new FileIdentity(
                    number(found, "ino"),
                    directory ? 0 : number(found, "size"),
                    ((FileTime) Objects.requireNonNull(found.get("lastModifiedTime"))).to(TimeUnit.NANOSECONDS)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            if (isNotDirectory(e)) {
                return Optional.empty();
            }
            throw StorageException.of("look at", path, e);
        }
    }

    /** Whether the path names this file now, whatever happened to its content. */
    boolean isAt(Path path) {
        return of(path).filter(found -> found.inode == inode).isPresent();
    }

    private static boolean isNotDirectory(IOException e) {
        return String.valueOf(e.getMessage()).contains("Not a directory");
    }

    private static long number(Map<String, Object> found, String attribute) {
        return (long) Objects.requireNonNull(found.get(attribute));
    }
}
