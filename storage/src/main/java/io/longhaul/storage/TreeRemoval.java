package io.longhaul.storage;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Removes a directory with all that is in it, whatever its modes forbid, and follows no link.
 *
 * <p>Each directory becomes private before it is listed: nobody else can put a link in the place of what was seen in it.
 */
final class TreeRemoval {
    private TreeRemoval() {}

    /** Removes what is there under this name; nothing when there is nothing. */
    static void run(Path path) throws IOException {
        // an explicit stack: a tree may be deeper than the thread's
        Deque<Path> pending = new ArrayDeque<>();
        pending.push(path);
        while (!pending.isEmpty()) {
            Path each = pending.peek();
            if (!Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS) || !pushDirectories(each, pending)) {
                Files.deleteIfExists(each);
                pending.pop();
            }
        }
    }

    /** Removes all but the directories in a directory, and pushes these; false when there are none. */
    private static boolean pushDirectories(Path directory, Deque<Path> pending) throws IOException {
        boolean any = false;
        try {
            claim(directory);
            try (DirectoryStream<Path> children = Files.newDirectoryStream(directory)) {
                for (Path child : children) {
                    if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                        pending.push(child);
                        any = true;
                    } else {
                        Files.deleteIfExists(child);
                    }
                }
            }
        } catch (NoSuchFileException e) {
            return any;
        }
        return any;
    }

    private static void claim(Path directory) throws IOException {
        try {
            Attributes.makePrivate(directory);
        } catch (FileSystemException e) {
            // another's, which its mode may let us empty all the same, or on a file system without modes
            if (!"Operation not permitted".equals(e.getReason())) {
                throw e;
            }
        }
    }
}
