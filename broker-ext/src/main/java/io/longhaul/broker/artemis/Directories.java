package io.longhaul.broker.artemis;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Makes names last: a new, renamed or removed file is only on disk when its directory is. */
final class Directories {
    private Directories() {}

    /** Forces the entries of a directory to disk. */
    static void force(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
