package io.longhaul.broker.artemis;

import io.longhaul.broker.file.Directories;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** Forces to disk what a backup was sent: it confirms what it has written. */
final class ForcedCopy {
    private ForcedCopy() {}

    static void force(List<Path> directories) throws IOException {
        for (Path directory : directories) {
            List<Path> all;
            try (Stream<Path> files = Files.walk(directory)) {
                all = files.toList();
            }
            for (Path each : all) {
                if (Files.isDirectory(each)) {
                    Directories.force(each);
                } else {
                    try (FileChannel channel = FileChannel.open(each, StandardOpenOption.WRITE)) {
                        channel.force(true);
                    }
                }
            }
        }
    }
}
