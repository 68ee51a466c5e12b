package io.longhaul.gridftp.spi;

import java.util.ArrayList;
import java.util.List;

/**
 * An absolute path as users see it: {@code /a/b}. There is nothing above the root, so {@code ..} there stays there.
 *
 * @param names none for the root; none of them is empty, {@code .} or {@code ..}, or has a slash or NUL in it
 */
public record FilePath(List<String> names) {
    /** The root. */
    public static final FilePath ROOT = new FilePath(List.of());

    /** Checks the names. */
    public FilePath {
        names = List.copyOf(names);
        for (String name : names) {
            if (name.isEmpty()
                    || name.equals(".")
                    || name.equals("..")
                    || name.indexOf('/') >= 0
                    || name.indexOf('\0') >= 0) {
                throw new BackendException(
                        BackendException.Code.BAD_NAME, "path: expected names, found '" + name + "'");
            }
        }
    }

    /** Reads an absolute path, or one below the root. */
    public static FilePath of(String text) {
        return ROOT.resolve(text);
    }

    /** Returns what a path means when this is the current directory. */
    public FilePath resolve(String text) {
        List<String> resolved = new ArrayList<>(text.startsWith("/") ? List.of() : names);
        for (String name : text.split("/", -1)) {
            if (name.equals("..")) {
                if (!resolved.isEmpty()) {
                    resolved.remove(resolved.size() - 1);
                }
            } else if (!name.isEmpty() && !name.equals(".")) {
                resolved.add(name);
            }
        }
        return new FilePath(resolved);
    }

    public boolean isRoot() {
        return names.isEmpty();
    }

    /** Returns the last name; empty for the root. */
    public String name() {
        return isRoot() ? "" : names.get(names.size() - 1);
    }

    /** Returns the directory that it is in; the root's is the root. */
    public FilePath parent() {
        return isRoot() ? this : new FilePath(names.subList(0, names.size() - 1));
    }

    /** Returns the path of a name in this directory. */
    public FilePath child(String name) {
        List<String> child = new ArrayList<>(names);
        child.add(name);
        return new FilePath(child);
    }

    /** Returns the path of a path of another root below this one. */
    public FilePath append(FilePath below) {
        List<String> all = new ArrayList<>(names);
        all.addAll(below.names);
        return new FilePath(all);
    }

    /** Returns whether it is the other path or below it. */
    public boolean startsWith(FilePath other) {
        return names.size() >= other.names.size()
                && names.subList(0, other.names.size()).equals(other.names);
    }

    /** Returns the path below one that it starts with. */
    public FilePath below(FilePath other) {
        return new FilePath(names.subList(other.names.size(), names.size()));
    }

    @Override
    public String toString() {
        return "/" + String.join("/", names);
    }
}
