package io.longhaul.agent;

/** What a publisher does with symbolic links in a tree. */
public enum SymlinkPolicy {
    /** Links that stay inside the tree are recreated; a link that leads out fails the transfer. The default. */
    RECREATE,
    /** Links are left out. */
    SKIP
}
