package io.longhaul.gridftp.topic;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The names that clients see: files that were published lately, but those that came to nothing; the directories that they
 * are in, and those that clients made. Thread-safe; nothing of it waits.
 */
final class Catalogue {
    /** Most directories that clients made and that nothing is in. */
    static final int MOST_DIRECTORIES = 10_000;

    private final Node root = new Node();
    private final Instant since;
    private int made; // guarded by this

    /**
     * Takes the time that directories show.
     */
    Catalogue(Instant since) {
        this.since = since;
    }

    /** A name; of a file or a directory. */
    private static final class Node {
        final Map<String, Node> children = new TreeMap<>();

        @Nullable
        PublishedFile file;

        boolean isMade;

        /** Whoever stored the file was told that it came to nothing: clients take what they can look at for stored. */
        boolean isHidden;
    }

    private @Nullable Node node(FilePath path) {
        Node node = root;
        for (String name : path.names()) {
            node = node.children.get(name);
            if (node == null) {
                return null;
            }
        }
        return node;
    }

    private Entry entry(FilePath path, Node node) {
        return node.file != null
                ? node.file.entry()
                : new Entry(path.name(), Entry.Type.DIRECTORY, 0, since, true, Optional.empty());
    }

    Entry directory(FilePath path) {
        return new Entry(path.name(), Entry.Type.DIRECTORY, 0, since, true, Optional.empty());
    }

    synchronized Optional<Entry> stat(FilePath path) {
        Node node = node(path);
        return node == null || node.isHidden ? Optional.empty() : Optional.of(entry(path, node));
    }

    /** Returns a file that {@link #stat} shows. */
    synchronized Optional<PublishedFile> shown(FilePath path) {
        return file(path).filter(file -> stat(path).isPresent());
    }

    synchronized Optional<PublishedFile> file(FilePath path) {
        Node node = node(path);
        return node == null ? Optional.empty() : Optional.ofNullable(node.file);
    }

    /** Returns what is in a directory; empty when there is none. */
    synchronized Optional<List<Entry>> list(FilePath path) {
        Node node = node(path);
        if (node == null) {
            return Optional.empty();
        }
        if (node.file != null) {
            throw failure(path, Code.NOT_A_DIRECTORY, "Not a directory");
        }
        return Optional.of(node.children.entrySet().stream()
                .filter(child -> !child.getValue().isHidden)
                .map(child -> entry(new FilePath(List.of(child.getKey())), child.getValue()))
                .toList());
    }

    private static BackendException failure(FilePath path, Code code, String words) {
        return new BackendException(code, path + ": " + words);
    }

    /** Throws when a file cannot have this path, since one of its directories is a file, or it is a directory. */
    synchronized void checkFree(FilePath path) {
        Node node = root;
        for (String name : path.names()) {
            if (node.file != null) {
                throw failure(path, Code.NOT_A_DIRECTORY, "Not a directory");
            }
            node = node.children.get(name);
            if (node == null) {
                return;
            }
        }
        if (node.file == null) {
            throw failure(path, Code.IS_A_DIRECTORY, "Is a directory");
        }
    }

    /** Shows a file in place of an older one of its path, but for a hidden one; directories on the way appear. */
    synchronized void put(PublishedFile file) {
        Node node = root;
        for (String name : file.path().names()) {
            node = node.children.computeIfAbsent(name, missing -> new Node());
        }
        if (node.file == null || node.file.id().compareTo(file.id()) <= 0) {
            node.isHidden &= isSame(node, file) && !file.isTold();
            node.file = file;
        }
    }

    private static boolean isSame(Node node, PublishedFile file) {
        return node.file != null && node.file.id().equals(file.id());
    }

    private static boolean isTold(Node node) {
        return node.file != null && node.file.isTold();
    }

    /** Shows the file no longer, unless a client was told that it is stored; it is there for who sends the same bytes. */
    synchronized void hide(PublishedFile file) {
        Node node = node(file.path());
        // what the caller has may have been told of meanwhile, and what is here may be late
        if (node != null && isSame(node, file) && !file.isTold() && !isTold(node)) {
            node.isHidden = true;
        }
    }

    /** Shows the file again, as a client is about to be told that it is stored. */
    synchronized void reveal(PublishedFile file) {
        Node node = node(file.path());
        if (node != null && isSame(node, file)) {
            node.isHidden = false;
        }
    }

    /** Shows the file no longer, unless a newer one has its path; directories that have become empty go with it. */
    synchronized void remove(PublishedFile file) {
        Node node = node(file.path());
        if (node != null && isSame(node, file)) {
            node.file = null;
            node.isHidden = false;
            prune(file.path());
        }
    }

    private void prune(FilePath path) {
        Node node = node(path);
        if (path.isRoot() || node == null || node.isMade || node.file != null || !node.children.isEmpty()) {
            return;
        }
        Node parent = node(path.parent());
        if (parent != null) {
            parent.children.remove(path.name());
        }
        prune(path.parent());
    }

    synchronized void makeDirectory(FilePath path) {
        if (node(path) != null) {
            throw failure(path, Code.EXISTS, "File exists");
        }
        Node parent = node(path.parent());
        if (parent == null && path.names().size() > 2) {
            throw failure(path, Code.NOT_FOUND, "No such file or directory");
        }
        if (parent != null && parent.file != null) {
            throw failure(path, Code.NOT_A_DIRECTORY, "Not a directory");
        }
        if (made >= MOST_DIRECTORIES) {
            throw failure(path, Code.NO_SPACE, "expected at most " + MOST_DIRECTORIES + " directories");
        }
        Node node = root;
        for (String name : path.names()) {
            node = node.children.computeIfAbsent(name, missing -> new Node());
        }
        node.isMade = true;
        made++;
    }

    synchronized void removeDirectory(FilePath path) {
        Node node = node(path);
        if (node == null) {
            throw failure(path, Code.NOT_FOUND, "No such file or directory");
        }
        if (node.file != null) {
            throw failure(path, Code.NOT_A_DIRECTORY, "Not a directory");
        }
        if (!node.children.isEmpty()) {
            throw failure(path, Code.NOT_EMPTY, "Directory not empty");
        }
        if (node.isMade) {
            node.isMade = false;
            made--;
        }
        prune(path);
    }
}
