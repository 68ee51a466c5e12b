package io.longhaul.broker.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Makes names last: a new, renamed or removed file is only on disk when its directory is. */
public final class Directories {
    private Directories() {}

    /**
     * Makes a directory for this broker alone, and those above it that are missing, to which only its user may write, and forces
     * the names of all it made to disk.
     */
    public static void make(Path directory) throws IOException {
        make(directory, "rwx------");
    }

    private static void make(Path directory, String permissions) throws IOException {
        Path parent = directory.toAbsolutePath().getParent();
        if (Files.isDirectory(directory) || parent == null) {
            return;
        }
        make(parent, "rwxr-xr-x");
        try {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory)) {
                throw e;
            }
        }
        force(parent);
    }

    /** Forces the entries of a directory to disk. */
    public static void force(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
