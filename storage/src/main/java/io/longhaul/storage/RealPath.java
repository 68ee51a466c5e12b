package io.longhaul.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a path leads to, whether all of it is there yet or not. */
public final class RealPath {
    private RealPath() {}

    /** Returns the path to compare others with, through all links; what is not there yet is taken by its name. */
    public static Path of(Path path) {
        return real(withoutDots(path));
    }

    private static Path real(Path there) {
        Path above = there.getParent();
        if (above == null || Files.exists(there)) {
            try {
                return there.toRealPath();
            } catch (IOException e) {
                throw new UncheckedIOException(there + ": cannot be looked at", e);
            }
        }
        return real(above).resolve(above.relativize(there));
    }

    /**
     * Returns the absolute path without dots that leads to the same: a step up behind a link goes up from where that leads,
     * as the system takes it. Links are kept by their names wherever that makes no difference, and so is what is not there.
     */
    public static Path withoutDots(Path path) {
        Path whole = path.toAbsolutePath();
        Path root = whole.getRoot();
        if (root == null || whole.normalize().equals(whole)) {
            return whole;
        }
        Path reached = root;
        for (Path name : whole) {
            reached = switch (name.toString()) {
                case "." -> reached;
                case ".." -> above(reached);
                default -> reached.resolve(name);
            };
        }
        return reached;
    }

    private static Path above(Path reached) {
        Path byName = parent(reached);
        if (!Files.isSymbolicLink(reached)) {
            return byName;
        }
        try {
            Path real = parent(reached.toRealPath());
            return Files.isSameFile(real, byName) ? byName : real;
        } catch (IOException e) {
            return byName; // the link leads nowhere
        }
    }

    /** Above the root is the root. */
    private static Path parent(Path path) {
        Path parent = path.getParent();
        return parent == null ? path : parent;
    }
}
