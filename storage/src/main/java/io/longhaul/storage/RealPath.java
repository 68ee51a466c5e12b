package io.longhaul.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a path leads to, through all links, whether all of it is there yet or not. */
public final class RealPath {
    private RealPath() {}

    /** Returns the path to compare others with; what is not there yet is taken by its name. */
    public static Path of(Path path) {
        Path there = path.toAbsolutePath().normalize();
        Path above = there.getParent();
        if (above == null || Files.exists(there)) {
            try {
                return there.toRealPath();
            } catch (IOException e) {
                throw new UncheckedIOException(there + ": cannot be looked at", e);
            }
        }
        return of(above).resolve(above.relativize(there));
    }
}
