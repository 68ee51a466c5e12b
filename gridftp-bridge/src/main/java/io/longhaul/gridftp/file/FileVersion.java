package io.longhaul.gridftp.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/**
 * Tells a file from the one that had its name before.
 *
 * @param key what the system knows it by
 */
record FileVersion(String key, long length, FileTime modified) {
    /** Returns that of a regular file; empty when there is none, or it cannot be seen. */
    static Optional<FileVersion> of(Path file) {
        try {
            BasicFileAttributes found =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return found.isRegularFile()
                    ? Optional.of(
                            new FileVersion(String.valueOf(found.fileKey()), found.size(), found.lastModifiedTime()))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
