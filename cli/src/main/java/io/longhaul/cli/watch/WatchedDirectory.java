package io.longhaul.cli.watch;

import io.longhaul.storage.RealPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A directory that files are put into, with those in its sub-directories.
 *
 * <p>A file is stable when two scans in a row find the same identity, size and modification time. Names that begin with
 * a dot or end in {@code .part} or {@code .tmp} are somebody's work in progress and are left alone, as are symbolic
 * links and everything that is no regular file.
 */
public final class WatchedDirectory {
    private final Path root;
    private Set<WatchedFile> before = Set.of();

    public WatchedDirectory(Path root) {
        this.root = RealPath.withoutDots(root);
    }

    /** Looks at all files; returns those that are as they were at the last scan, ordered by path. */
    public List<WatchedFile> scan() {
        TreeMap<Path, WatchedFile> found = new TreeMap<>();
        if (!Files.isDirectory(root)) {
            throw new UncheckedIOException(
                    root + ": cannot be scanned",
                    new IOException("expected a directory, found " + (Files.exists(root) ? "something else" : "none")));
        }
        try {
            Files.walkFileTree(root, new Visitor(found));
        } catch (IOException e) {
            throw new UncheckedIOException(root + ": cannot be scanned", e);
        }
        List<WatchedFile> stable =
                found.values().stream().filter(before::contains).toList();
        before = new HashSet<>(found.values());
        return stable;
    }

    private final class Visitor extends SimpleFileVisitor<Path> {
        private final TreeMap<Path, WatchedFile> found;

        Visitor(TreeMap<Path, WatchedFile> found) {
            this.found = found;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return !directory.equals(root) && isWorkInProgress(directory)
                    ? FileVisitResult.SKIP_SUBTREE
                    : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
            if (attributes.isRegularFile() && !isWorkInProgress(path)) {
                String name = root.relativize(path).toString();
                // by path, which keeps names apart that are the same as text for want of UTF-8
                found.put(
                        path,
                        new WatchedFile(
                                path,
                                name,
                                String.valueOf(attributes.fileKey()),
                                attributes.size(),
                                attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS)));
            }
            return FileVisitResult.CONTINUE;
        }

        /** Files come and go while they are looked at; what cannot be read now is looked at again at the next scan. */
        @Override
        public FileVisitResult visitFileFailed(Path path, IOException failure) throws IOException {
            if (path.equals(root)) {
                throw failure;
            }
            return FileVisitResult.CONTINUE;
        }
    }

    private static boolean isWorkInProgress(Path path) {
        String name = String.valueOf(path.getFileName());
        return name.startsWith(".") || name.endsWith(".part") || name.endsWith(".tmp");
    }
}
