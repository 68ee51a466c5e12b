package io.longhaul.cli.watch;

import io.longhaul.storage.RealPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A directory that files are put into, with those in its sub-directories.
 *
 * <p>A file is stable when two scans in a row find the same identity, size and modification time. Names that begin with
 * a dot or end in {@code .part} or {@code .tmp} are somebody's work in progress and are left alone, as are symbolic
 * links and everything that is no regular file.
 */
public final class WatchedDirectory {
    private static final Pattern INODE = Pattern.compile("ino=([0-9]+)");

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
            // a walk does not follow links, not even the one that it begins at
            Path real = root.toRealPath();
            Files.walkFileTree(real, new Visitor(real, found));
        } catch (IOException e) {
            throw new UncheckedIOException(root + ": cannot be scanned", e);
        }
        List<WatchedFile> stable =
                found.values().stream().filter(before::contains).toList();
        before = new HashSet<>(found.values());
        return stable;
    }

    /**
     * Returns a file that was in this directory once, with the name that a scan has for it; nothing when the path does not lead
     * into it.
     *
     * @param inode as {@link WatchedFile} has it
     */
    public Optional<WatchedFile> once(String path, String inode, long size, long modifiedNanos) {
        try {
            Path real = RealPath.of(root);
            Path there = Path.of(path);
            return there.startsWith(real)
                    ? Optional.of(new WatchedFile(there, real.relativize(there).toString(), inode, size, modifiedNanos))
                    : Optional.empty();
        } catch (InvalidPathException | UncheckedIOException e) {
            return Optional.empty(); // no scan can find it now
        }
    }

    /** Returns whether a file is as a scan found it. */
    public boolean isStill(WatchedFile file) {
        try {
            BasicFileAttributes now =
                    Files.readAttributes(file.path(), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return file.equals(fileOf(file.path(), file.name(), now));
        } catch (IOException e) {
            return false;
        }
    }

    private static WatchedFile fileOf(Path path, String name, BasicFileAttributes attributes) {
        return new WatchedFile(
                path,
                name,
                inode(String.valueOf(attributes.fileKey())),
                attributes.size(),
                attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS));
    }

    private static String inode(String fileKey) {
        Matcher inode = INODE.matcher(fileKey);
        return inode.find() ? inode.group(1) : fileKey;
    }

    private static final class Visitor extends SimpleFileVisitor<Path> {
        private final Path root;
        private final TreeMap<Path, WatchedFile> found;

        Visitor(Path root, TreeMap<Path, WatchedFile> found) {
            this.root = root;
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
                found.put(path, fileOf(path, name, attributes));
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
