package io.longhaul.cli.state;

import io.longhaul.storage.Disk;
import io.longhaul.storage.RealPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Remembers how a directory was before a command touched it, so that a refused command leaves nothing behind.
 *
 * <p>Only what was not there before is ever removed: the whole directory when it was missing or empty.
 */
public final class Footprint {
    private final Path directory;
    private final boolean wasEmpty;
    private final Path lowestThatWas;

    private Footprint(Path directory, boolean wasEmpty, Path lowestThatWas) {
        this.directory = directory;
        this.wasEmpty = wasEmpty;
        this.lowestThatWas = lowestThatWas;
    }

    /** Looks at the directory as it is now. */
    public static Footprint of(Path path) {
        Path directory = RealPath.withoutDots(path);
        Path there = directory;
        while (there.getParent() != null && !Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
            there = there.getParent();
        }
        return new Footprint(directory, !there.equals(directory) || isEmpty(directory), there);
    }

    /** Removes what has come since, when the directory was missing or empty, and parents made for it. */
    public void undo(Disk disk) {
        if (!wasEmpty || !Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        for (Path child : children(directory)) {
            disk.deleteTree(child);
        }
        removeMade(disk);
    }

    /** Removes one reserved child of the directory, and the directory when it is empty and was missing. */
    public void undoChild(Disk disk, String child, boolean wasThere) {
        if (!wasThere && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            disk.deleteTree(directory.resolve(child));
        }
        if (wasEmpty && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS) && isEmpty(directory)) {
            removeMade(disk);
        }
    }

    private void removeMade(Disk disk) {
        Path made = directory;
        while (made != null && !made.equals(lowestThatWas) && isEmpty(made)) {
            disk.delete(made);
            made = made.getParent();
        }
    }

    private static boolean isEmpty(Path directory) {
        return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                && children(directory).isEmpty();
    }

    private static List<Path> children(Path directory) {
        try (Stream<Path> children = Files.list(directory)) {
            return children.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(directory + ": cannot be listed", e);
        }
    }
}
