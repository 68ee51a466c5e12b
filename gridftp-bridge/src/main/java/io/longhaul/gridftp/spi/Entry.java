package io.longhaul.gridftp.spi;

import java.time.Instant;
import java.util.Optional;

/**
 * What is known of a file or directory.
 *
 * @param name its last name; empty for the root
 * @param type of what a link points to, where it points to something
 * @param length in bytes
 * @param modified when its bytes were changed last
 * @param writable whether the user may change it
 * @param unix what only Unix systems know
 */
public record Entry(String name, Type type, long length, Instant modified, boolean writable, Optional<Unix> unix) {
    /** What it is. */
    public enum Type {
        /** Bytes. */
        FILE,
        /** Entries. */
        DIRECTORY,
        /** A device, a pipe, a socket: surely no link. */
        SPECIAL,
        /** A link to nothing that can be seen, or what nobody knows more of. */
        OTHER
    }

    /**
     * What only Unix systems know.
     *
     * @param mode the nine permission bits
     * @param links number of names
     * @param unique the same for two names of one file
     * @param linkTarget when the name is a symbolic link: where it points
     * @param changed when its bytes or attributes were changed last, which nobody can set; not every server tells
     */
    public record Unix(
            int mode,
            int links,
            String owner,
            int uid,
            String group,
            int gid,
            String unique,
            Optional<String> linkTarget,
            Optional<Instant> changed) {}

    public boolean isDirectory() {
        return type == Type.DIRECTORY;
    }

    /** Returns the same under another name. */
    public Entry withName(String other) {
        return new Entry(other, type, length, modified, writable, unix);
    }
}
