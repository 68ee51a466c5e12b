package io.longhaul.wire;

/**
 * The rule for symbolic links in a tree: relative, first up and then down, and never above the tree's top.
 *
 * <p>A step up behind a step down ({@code a/..}) is refused although it may look harmless: where {@code a} is itself a
 * link, the step leads up from the link's target, which the path alone does not tell. With steps up only at the start,
 * and only directories on the way to each link, no chain of links leaves the tree.
 */
public final class SymlinkTarget {
    private SymlinkTarget() {}

    /** Throws {@link WireException} when the link at {@code path} with this target may lead out of the tree. */
    public static void check(String path, String target) {
        int bytes = Names.utf8Length("symbolic link target", target);
        if (bytes == 0 || bytes > Names.MAX_PATH_BYTES || target.indexOf('\0') >= 0) {
            throw refused(path, "a target of 1.." + Names.MAX_PATH_BYTES + " bytes without NUL", target);
        }
        if (target.startsWith("/")) {
            throw refused(path, "a relative target", target);
        }
        int above = path.split("/", -1).length - 1;
        boolean down = false;
        for (String component : target.split("/", -1)) {
            if (component.equals("..")) {
                if (down) {
                    throw refused(path, "steps up (..) only at the start", target);
                }
                above--;
            } else if (!component.isEmpty() && !component.equals(".")) {
                down = true;
            }
        }
        if (above < 0) {
            throw refused(path, "a target inside the tree", target);
        }
    }

    private static WireException refused(String path, String expected, String target) {
        return new WireException(
                "symbolic link " + Names.shown(path) + ": expected " + expected + ", found " + Names.shown(target));
    }
}
