package io.longhaul.gridftp.spi;

/** Gives each user the files that are the user's to see. Thread-safe. */
@FunctionalInterface
public interface Backends {
    /** Returns the files of a user; whoever made this closes them. Must not block. */
    Backend of(Principal user);
}
