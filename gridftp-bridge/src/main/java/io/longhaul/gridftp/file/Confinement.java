package io.longhaul.gridftp.file;

import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import java.io.IOException;
import java.nio.file.AccessMode;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** Turns users' paths into the machine's, and none of them into one outside of the root. */
final class Confinement {
    /** Names that begin like this are the back end's own: nobody sees them or makes them. */
    static final String OWN = ".longhaul";

    private final Path root;

    /**
     * Takes the real path of the root.
     *
     * @param root without links in it
     */
    Confinement(Path root) {
        this.root = root;
    }

    Path root() {
        return root;
    }

    static boolean isOwn(String name) {
        return name.equals(OWN) || name.startsWith(OWN + "-");
    }

    /** Returns the real path of something that is there, through links. */
    Path existing(FilePath path) throws IOException {
        return inside(path, joined(path).toRealPath());
    }

    /** Returns the path of a name in a directory that is there; the name itself is not followed. */
    Path named(FilePath path) throws IOException {
        if (path.isRoot()) {
            throw Failures.of(path, Code.DENIED);
        }
        Path parent = existing(path.parent());
        if (!Files.isDirectory(parent)) {
            throw Failures.of(path, Code.NOT_A_DIRECTORY);
        }
        joined(path);
        return parent.resolve(path.name());
    }

    /** Returns the path without links in it of something that is there, or of a name in a directory that is there. */
    FilePath real(FilePath path) throws IOException {
        if (path.isRoot()) {
            return path;
        }
        Path named = named(path);
        Path real = Files.exists(named, LinkOption.NOFOLLOW_LINKS) ? existing(path) : named;
        return FilePath.of(root.relativize(real).toString());
    }

    /** Returns the path of a file that is to be written, through links, which must end inside. */
    Path target(FilePath path) throws IOException {
        Path named = named(path);
        if (Files.isSymbolicLink(named)) {
            named = existing(path);
        }
        Optional<BasicFileAttributes> there = attributes(named);
        if (there.filter(BasicFileAttributes::isDirectory).isPresent()) {
            throw Failures.of(path, Code.IS_A_DIRECTORY);
        }
        boolean isOther = there.filter(found -> !found.isRegularFile()).isPresent();
        if (isOther || isFixed(named) || !Files.isWritable(named.resolveSibling("."))) {
            throw Failures.of(path, Code.DENIED);
        }
        return named;
    }

    /** In one step: somebody may remove it or make it at this moment. */
    private static boolean isFixed(Path file) {
        try {
            file.getFileSystem().provider().checkAccess(file, AccessMode.WRITE);
            return false;
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static Optional<BasicFileAttributes> attributes(Path file) throws IOException {
        try {
            return Optional.of(Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private Path joined(FilePath path) {
        Path joined = root;
        for (String name : path.names()) {
            if (isOwn(name)) {
                throw Failures.of(path, Code.NOT_FOUND);
            }
            try {
                Path next = Path.of(name);
                if (next.isAbsolute() || next.getNameCount() != 1) {
                    throw Failures.of(path, Code.BAD_NAME);
                }
                joined = joined.resolve(next);
            } catch (InvalidPathException e) {
                throw Failures.of(path, Code.BAD_NAME);
            }
        }
        return joined;
    }

    private Path inside(FilePath path, Path real) {
        if (!real.startsWith(root)) {
            throw Failures.of(path, Code.DENIED);
        }
        for (Path name : root.relativize(real)) {
            if (isOwn(name.toString())) {
                throw Failures.of(path, Code.NOT_FOUND);
            }
        }
        return real;
    }
}
