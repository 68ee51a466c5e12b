package io.longhaul.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Compares two files or two trees byte by byte, link by link. */
final class SameContent {
    private SameContent() {}

    static boolean of(Path a, Path b) {
        try {
            return compare(a, b);
        } catch (IOException e) {
            throw new UncheckedIOException(a + " and " + b + ": cannot be compared", e);
        }
    }

    private static boolean compare(Path a, Path b) throws IOException {
        if (Files.isSymbolicLink(a) || Files.isSymbolicLink(b)) {
            return Files.isSymbolicLink(a)
                    && Files.isSymbolicLink(b)
                    && Files.readSymbolicLink(a).equals(Files.readSymbolicLink(b));
        }
        if (!Files.isDirectory(a, LinkOption.NOFOLLOW_LINKS)) {
            return Files.isRegularFile(b, LinkOption.NOFOLLOW_LINKS) && Files.mismatch(a, b) < 0;
        }
        if (!Files.isDirectory(b, LinkOption.NOFOLLOW_LINKS) || !names(a).equals(names(b))) {
            return false;
        }
        for (Path name : names(a)) {
            if (!compare(a.resolve(name), b.resolve(name))) {
                return false;
            }
        }
        return true;
    }

    private static List<Path> names(Path directory) throws IOException {
        try (Stream<Path> children = Files.list(directory)) {
            return children.map(Path::getFileName).sorted().toList();
        }
    }
}
