package io.longhaul.broker;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** The files of messages that a broker keeps out of its memory. */
final class Pages {
    private Pages() {}

    /** Returns their bytes below a data directory; those of files that go meanwhile count or do not. */
    static long bytes(Path data) throws IOException {
        long[] sum = {0};
        Files.walkFileTree(data.resolve("paging"), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                sum[0] += file.toString().endsWith(".page") ? attributes.size() : 0;
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) {
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException failure) {
                return FileVisitResult.CONTINUE;
            }
        });
        return sum[0];
    }
}
