package io.longhaul.wire;

/**
 * One file, directory or symbolic link of a tree.
 *
 * @param number position in the tree's order, from 0
 * @param path relative path inside the tree, checked by {@link Names#path}
 * @param type file, directory or symbolic link
 * @param mode permission bits 0..07777
 * @param modifiedNanos time of last modification, nanoseconds since the epoch
 * @param length bytes of a file, 0 for others
 * @param target what a symbolic link points to, relative and inside the tree; empty for others
 */
public record Entry(
        long number, String path, EntryType type, int mode, long modifiedNanos, long length, String target) {
    public Entry {
        Limits.range("entry number", number, 0, Limits.MAX_ENTRIES - 1);
        Names.path(path);
        Limits.range("entry mode", mode, 0, 07777);
        Limits.range("entry length", length, 0, Limits.MAX_LENGTH);
        if (type == EntryType.SYMLINK) {
            SymlinkTarget.check(path, target);
        } else if (!target.isEmpty()) {
            throw new WireException("entry target: expected none for a " + type + ", found " + Names.shown(target));
        }
        if (type != EntryType.FILE && length != 0) {
            throw new WireException("entry length: expected 0 for a " + type + ", found " + length);
        }
    }
}
