package io.longhaul.broker.artemis;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Makes names last: a new, renamed or removed file is only on disk when its directory is. */
final class Directories {
    private Directories() {}

    /**
     * Makes a directory for this broker alone, and those above it that are missing, and forces the names of all it made
     * to disk.
     */
    static void make(Path directory) throws IOException {
        make(directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    private static void make(Path directory, FileAttribute<?>... attributes) throws IOException {
        Path parent = directory.toAbsolutePath().getParent();
        if (Files.isDirectory(directory) || parent == null) {
            return;
        }
        make(parent, new FileAttribute<?>[0]);
        try {
            Files.createDirectory(directory, attributes);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory)) {
                throw e;
            }
        }
        force(parent);
    }

    /** Forces the entries of a directory to disk. */
    static void force(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
