package io.longhaul.broker.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A small file that is whole or not there, whatever dies while it is written. One writer at a time. */
public final class KeptFile {
    private KeptFile() {}

    /**
     * Puts bytes in the place of those that are there, and makes the directory when it is missing; they, and the names that lead to
     * them, are on disk when it returns.
     */
    public static void write(Path file, byte[] content) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            throw new IOException(file + ": has no directory");
        }
        Directories.make(directory);
        Path fresh = directory.resolve(file.getFileName() + ".new");
        ByteBuffer bytes = ByteBuffer.wrap(content);
        try (FileChannel channel = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        Directories.force(directory);
    }
}
