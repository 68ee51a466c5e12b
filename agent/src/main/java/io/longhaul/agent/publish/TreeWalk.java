package io.longhaul.agent.publish;

import io.longhaul.agent.SymlinkPolicy;
import io.longhaul.wire.Entry;
import io.longhaul.wire.EntryType;
import io.longhaul.wire.WireException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Visits what is below a directory: depth first, a directory before what is in it, names by their UTF-8 bytes.
 *
 * <p>Holds the names of one directory for each level of depth. Links are not followed. What is neither a file, a
 * directory nor a symbolic link cannot be carried, and is never opened: a FIFO would block for ever.
 */
final class TreeWalk {
    /** Bounds the memory that a tree can make a walk hold; paths of the wire end before. */
    private static final int MAX_DEPTH = 2048;

    /**
     * One name of the tree.
     *
     * @param path where it is
     * @param name path inside the tree
     * @param stat what it is
     * @param target what it points to; empty unless a symbolic link
     */
    record Node(Path path, String name, SourceStat stat, String target) {

        /** Returns it as an entry of the wire; throws {@link SourceException} when the wire cannot carry it. */
        Entry entry(long number) {
            EntryType type =
                    stat.isFile() ? EntryType.FILE : stat.isDirectory() ? EntryType.DIRECTORY : EntryType.SYMLINK;
            try {
                return new Entry(
                        number,
                        name,
                        type,
                        stat.permissions(),
                        stat.identity().modifiedNanos(),
                        type == EntryType.FILE ? stat.identity().length() : 0,
                        target);
            } catch (WireException e) {
                throw new SourceException("source " + SourceNames.shown(path) + ": " + e.getMessage(), e);
            }
        }
    }

    private record Child(Path path, String name) {}

    private record Level(Path directory, SourceStat stat, String prefix, Iterator<Child> children) {}

    private final SymlinkPolicy symlinks;
    private final Deque<Level> levels = new ArrayDeque<>();

    TreeWalk(Path top, SourceStat stat, SymlinkPolicy symlinks) {
        this.symlinks = symlinks;
        levels.push(list(top, stat, ""));
    }

    /** Returns the next name, or null at the end. */
    @Nullable
    Node next() {
        while (!levels.isEmpty()) {
            Level level = levels.element();
            if (!level.children.hasNext()) {
                // Names that came or went meanwhile are in none or half of the pieces.
                SourceFile.requireUnchanged(level.directory, level.stat);
                levels.pop();
                continue;
            }
            Node node = visit(level, level.children.next());
            if (node != null) {
                return node;
            }
        }
        return null;
    }

    private @Nullable Node visit(Level level, Child child) {
        SourceStat stat = SourceStat.of(child.path);
        String name = level.prefix + child.name;
        if (stat.isDirectory()) {
            if (levels.size() >= MAX_DEPTH) {
                throw new SourceException(
                        "directory " + SourceNames.shown(child.path) + ": expected a depth of at most " + MAX_DEPTH);
            }
            levels.push(list(child.path, stat, name + "/"));
            return new Node(child.path, name, stat, "");
        }
        if (stat.isLink()) {
            return symlinks == SymlinkPolicy.SKIP ? null : new Node(child.path, name, stat, target(child.path));
        }
        if (!stat.isFile()) {
            throw new SourceException("source " + SourceNames.shown(child.path) + " is a " + stat.kind()
                    + ": expected only files, directories and symbolic links");
        }
        return new Node(child.path, name, stat, "");
    }

    private static String target(Path link) {
        try {
            return SourceNames.target(link, Files.readSymbolicLink(link));
        } catch (IOException e) {
            throw SourceStat.unreadable(link, e);
        }
    }

    private static Level list(Path directory, SourceStat stat, String prefix) {
        List<Child> children = new ArrayList<>();
        try (DirectoryStream<Path> names = Files.newDirectoryStream(directory)) {
            for (Path path : names) {
                children.add(new Child(path, SourceNames.last(path)));
            }
        } catch (DirectoryIteratorException e) {
            throw SourceStat.unreadable(directory, new IOException(e.getMessage(), e));
        } catch (IOException e) {
            throw SourceStat.unreadable(directory, e);
        }
        children.sort(Comparator.comparing(Child::name, SourceNames.BY_BYTES));
        return new Level(directory, stat, prefix, children.iterator());
    }
}
