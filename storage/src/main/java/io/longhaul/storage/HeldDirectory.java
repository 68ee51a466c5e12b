package io.longhaul.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/**
 * A data directory as a process of this machine has locked it, told from a later one of the same name by its lock's file. May be
 * used from any thread.
 */
public final class HeldDirectory {
    static final String LOCK = "lock";

    private final Path directory;
    private final Object identity;

    private HeldDirectory(Path directory, Object identity) {
        this.directory = directory;
        this.identity = identity;
    }

    /** Looks at a directory that is locked. */
    public static HeldDirectory of(Path data) {
        try {
            Path directory = data.toRealPath();
            return new HeldDirectory(directory, identity(directory));
        } catch (IOException e) {
            throw DiskFailure.of("look at", data.resolve(LOCK), 0, e);
        }
    }

    private static Object identity(Path directory) throws IOException {
        BasicFileAttributes found =
                Files.readAttributes(directory.resolve(LOCK), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return Objects.requireNonNull(found.fileKey());
    }

    /**
     * Throws {@link StorageException.Code#LOST} when the directory was removed, moved or replaced since: what is written now is
     * in files that nobody finds again. A disk that gives no answer is no such sign.
     */
    public void requireSame() {
        String found = "another one";
        try {
            if (identity(directory).equals(identity)) {
                return;
            }
        } catch (NoSuchFileException e) {
            found = "none";
        } catch (IOException e) {
            return;
        }
        throw new StorageException(
                StorageException.Code.LOST,
                "data directory " + directory + ": expected the file lock of this process, found " + found
                        + "; it was removed, moved or replaced while in use");
    }
}
