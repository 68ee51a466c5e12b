package io.longhaul.broker.artemis;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Makes names last: a new, renamed or removed file is only on disk when its directory is. */
final class Directories {
    private Directories() {}

    /** Makes a directory, and those above it that are missing, and forces the names of all it made to disk. */
    static void make(Path directory) throws IOException {
        Path parent = directory.toAbsolutePath().getParent();
        if (Files.isDirectory(directory) || parent == null) {
            return;
        }
        make(parent);
        Files.createDirectories(directory);
        force(parent);
    }

    /** Forces the entries of a directory to disk. */
    static void force(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
