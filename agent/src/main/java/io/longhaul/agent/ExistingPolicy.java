package io.longhaul.agent;

/** What a subscriber does when a file of the delivered name exists. */
public enum ExistingPolicy {
    /** The new one takes its place, atomically. */
    REPLACE,
    /** The old one stays; the receipt says kept. */
    KEEP,
    /** The new one gets a free name: {@code name~1}, {@code name~2}. */
    RENAME
}
