package io.longhaul.storage;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;

/** Permission bits and times, also of what forbids its owner to read it. */
final class Attributes {
    private static final String MODE = "unix:mode";
    private static final int MODE_BITS = 07777;
    private static final int TYPE_BITS = 0170000;
    private static final int SYMBOLIC_LINK = 0120000;
    private static final int PRIVATE = 0700;
    private static final long NANOS_A_SECOND = 1_000_000_000;

    private Attributes() {}

    /**
     * Sets permission bits and time of modification; of a symbolic link the time only, in microseconds. Of times before 1970 Java
     * sets whole seconds only: of others it makes 1970.
     */
    static void set(Path path, int mode, long modifiedNanos) throws IOException {
        FileTime modified = modifiedNanos < 0
                ? FileTime.from(Math.floorDiv(modifiedNanos, NANOS_A_SECOND), TimeUnit.SECONDS)
                : FileTime.from(modifiedNanos, TimeUnit.NANOSECONDS);
        try {
            setTime(path, modified);
        } catch (AccessDeniedException e) {
            makePrivate(path);
            setTime(path, modified);
        }
        // the mode last: it may take away the right to set anything; most new files have it already
        int found = (int) Files.getAttribute(path, MODE, LinkOption.NOFOLLOW_LINKS);
        if ((found & TYPE_BITS) != SYMBOLIC_LINK && (found & MODE_BITS) != (mode & MODE_BITS)) {
            Files.setAttribute(path, MODE, mode & MODE_BITS, LinkOption.NOFOLLOW_LINKS);
        }
    }

    private static void setTime(Path path, FileTime modified) throws IOException {
        Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .setTimes(modified, null, null);
    }

    /**
     * Gives everything with a directory or file to its owner and nothing to anybody else, whatever its mode forbids.
     *
     * <p>Without following links, Java opens a file to change it, for which its owner needs the right to read; Java 25 opens
     * what a link leads to all the same. So it is looked first whether it is a link. One that somebody puts in its place at
     * this very moment may be followed: what it leads to is private afterwards, which discloses nothing, and the next step
     * fails at the link.
     */
    static void makePrivate(Path path) throws IOException {
        if (Files.isSymbolicLink(path)) {
            throw new FileSystemException(path.toString(), null, "Too many levels of symbolic links");
        }
        try {
            Files.setAttribute(path, MODE, PRIVATE, LinkOption.NOFOLLOW_LINKS);
        } catch (AccessDeniedException e) {
            Files.setAttribute(path, MODE, PRIVATE);
        }
    }
}
