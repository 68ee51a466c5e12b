package io.longhaul.agent.receive;

import io.longhaul.storage.Disk;
import io.longhaul.storage.DiskFile;
import io.longhaul.storage.PathRefusedException;
import io.longhaul.wire.Entry;
import io.longhaul.wire.Names;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * Gives the entries of a tree their names in staging, each once: as many names as entries in the end means that no two
 * entries were the same.
 *
 * <p>Nobody else changes what is in there. Not thread-safe.
 */
final class TreeNames {
    private final Disk disk;
    private final Path tree;
    /** Directories that were made for a file before their own entry came. */
    private final Set<String> unannounced = new HashSet<>();
    /** The directory of the name before: most names follow another one of the same directory. */
    private String lastParent = "";

    private long count;

    TreeNames(Disk disk, Path tree) {
        this.disk = disk;
        this.tree = tree;
    }

    Path path(Entry entry) {
        return TargetDirectory.child(tree, entry.path());
    }

    /** Makes a small file as it will appear and returns it open; it is not forced. */
    DiskFile createFile(Entry entry, ByteBuffer content) {
        requireParents(entry.path());
        Path path = path(entry);
        DiskFile file = create(path, entry);
        try {
            file.write(content, 0);
            setAttributes(path, entry);
        } catch (RuntimeException | Error e) {
            file.close();
            throw e;
        }
        count++;
        return file;
    }

    /** To look first, at thousands of names that are free, costs as much as making them. */
    private DiskFile create(Path path, Entry entry) {
        try {
            return disk.create(path);
        } catch (PathRefusedException e) {
            requireFree(path, entry);
            throw e;
        }
    }

    void setAttributes(Path path, Entry entry) {
        disk.setAttributes(path, TargetDirectory.permissions(entry.mode()), entry.modifiedNanos());
    }

    void createDirectory(Entry entry) {
        if (!unannounced.remove(entry.path())) {
            requireParents(entry.path());
            Path path = path(entry);
            requireFree(path, entry);
            disk.createDirectory(path);
            count++;
        }
    }

    /** Gives a file that is in staging already its name. */
    void link(Entry entry, Path file) {
        requireParents(entry.path());
        Path path = path(entry);
        requireFree(path, entry);
        disk.createLink(path, file);
        count++;
    }

    /** Makes a symbolic link; after all others, so that no path ever leads through one. */
    void createSymbolicLink(Entry entry) {
        Path path = path(entry);
        Path parent = path.getParent();
        if (parent == null || !Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)) {
            throw new RefusedTransfer("entry " + Names.shown(entry.path()) + ": expected a directory above it");
        }
        requireFree(path, entry);
        disk.createSymbolicLink(path, entry.target());
        setAttributes(path, entry);
        count++;
    }

    private void requireParents(String path) {
        int slash = path.lastIndexOf('/');
        if (slash < 0) {
            return;
        }
        String parent = path.substring(0, slash);
        if (!parent.equals(lastParent)) {
            requireParent(path, parent);
            lastParent = parent;
        }
    }

    private void requireParent(String path, String parent) {
        Path directory = TargetDirectory.child(tree, parent);
        if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new RefusedTransfer(
                    "entry " + Names.shown(path) + ": expected a directory above it, found that it is a file as well");
        }
        requireParents(parent);
        disk.createDirectory(directory);
        unannounced.add(parent);
        count++;
    }

    private static void requireFree(Path path, Entry entry) {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new RefusedTransfer("entry " + entry.number() + " " + Names.shown(entry.path())
                    + ": expected a path of its own, found that another entry has it");
        }
    }

    /** Throws {@link RefusedTransfer} when a directory has no entry of its own; before links are made. */
    void requireAnnounced() {
        if (!unannounced.isEmpty()) {
            throw new RefusedTransfer(
                    "directory " + Names.shown(unannounced.iterator().next())
                            + ": expected an entry of its own, found only entries below it");
        }
    }

    void requireCount(long entries) {
        if (count != entries) {
            throw new RefusedTransfer("tree: expected " + entries + " names, found " + count);
        }
    }
}
