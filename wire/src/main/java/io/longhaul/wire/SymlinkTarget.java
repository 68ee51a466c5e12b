package io.longhaul.wire;

/** The rule for symbolic links in a tree: relative, and never above the tree's top on any step of the way. */
public final class SymlinkTarget {
    private SymlinkTarget() {}

    /** Throws {@link WireException} when the link at {@code path} with this target leads out of the tree. */
    public static void check(String path, String target) {
        if (target.isEmpty() || target.length() > Names.MAX_PATH_BYTES || target.indexOf('\0') >= 0) {
            throw new WireException("symbolic link " + Names.shown(path) + ": expected a target of 1.."
                    + Names.MAX_PATH_BYTES + " characters, found " + Names.shown(target));
        }
        int depth = path.split("/", -1).length - 1;
        boolean inside = !target.startsWith("/");
        for (String component : target.split("/", -1)) {
            if (component.equals("..")) {
                depth--;
            } else if (!component.isEmpty() && !component.equals(".")) {
                depth++;
            }
            inside &= depth >= 0;
        }
        if (!inside) {
            throw new WireException("symbolic link " + Names.shown(path) + ": expected a target inside the tree, found "
                    + Names.shown(target));
        }
    }
}
