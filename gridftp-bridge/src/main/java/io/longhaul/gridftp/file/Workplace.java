package io.longhaul.gridftp.file;

import io.longhaul.gridftp.range.ByteRanges;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Where files lie until they are whole: {@code .longhaul/front-N/M} in the root, made at the first file; those on another file system
 * beside their targets, as {@code .longhaul-N-M}, with a link in {@code front-N} that leads there.
 *
 * <p>Each process locks its own; what is there without a lock was left by one that was killed, and is removed. Where there is no
 * right to make links in the root, files on other file systems are removed when a successor is told of them.
 */
final class Workplace implements AutoCloseable {
    private static final String PREFIX = "front-";
    private static final String LOCK = "lock";

    private final Path root;
    private final Path place;
    private final String beside; // what names of files on other file systems begin with
    private final RandomGenerator random;
    private boolean closed; // guarded by this
    private FileChannel lock; // guarded by this

    private Workplace(Path root, RandomGenerator random, FileChannel lock) {
        this.root = root;
        this.random = random;
        String number = HexFormat.of().toHexDigits(random.nextLong());
        this.place = root.resolve(Confinement.OWN).resolve(PREFIX + number);
        this.beside = Confinement.OWN + "-" + number + "-";
        this.lock = lock;
    }

    /** Removes what killed processes left and returns a place that does not exist yet. */
    static Workplace in(Path root, RandomGenerator random) throws IOException {
        Path all = root.resolve(Confinement.OWN);
        if (Files.isDirectory(all, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> places = Files.newDirectoryStream(all, PREFIX + "*")) {
                for (Path place : places) {
                    removeIfLeft(root, place);
                }
            }
        }
        // a closed channel stands for none
        FileChannel none = FileChannel.open(root, StandardOpenOption.READ);
        none.close();
        return new Workplace(root, random, none);
    }

    private static void removeIfLeft(Path root, Path place) throws IOException {
        try (FileChannel channel =
                        FileChannel.open(place.resolve(LOCK), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                FileLock held = channel.tryLock()) {
            if (held != null) {
                remove(root, place);
            }
        } catch (NoSuchFileException e) {
            // being made or being removed
        } catch (AccessDeniedException | OverlappingFileLockException e) {
            // another account's, or in use by this process
        }
    }

    private static void remove(Path root, Path place) throws IOException {
        boolean isEmpty = true;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(place, file -> !file.endsWith(LOCK))) {
            for (Path file : files) {
                isEmpty &= removed(root, file);
            }
        }
        if (isEmpty) {
            // last: without it nobody would know that the place is left
            Files.deleteIfExists(place.resolve(LOCK));
            Files.deleteIfExists(place);
        }
    }

    /** Removes a file and what it leads to; returns whether both have gone. */
    private static boolean removed(Path root, Path file) throws IOException {
        if (Files.isSymbolicLink(file)) {
            Path beside = Files.readSymbolicLink(file);
            try {
                if (isAway(root, beside)) {
                    return false;
                }
                removeBeside(root, beside);
            } catch (IOException e) {
                // a later process tries again
                return false;
            }
        }
        Files.deleteIfExists(file);
        return true;
    }

    /** Returns whether the file system that a file is on is not there at the moment: then its directory need not be either. */
    private static boolean isAway(Path root, Path beside) throws IOException {
        Path directory = beside.getParent();
        while (directory != null && !Files.isDirectory(directory)) {
            directory = directory.getParent();
        }
        return directory != null && Mounts.areOne(root, directory);
    }

    /**
     * Returns a new part on the same file system as its target, so that the rename is atomic; it has no file yet.
     *
     * @param target in a directory that is there
     */
    synchronized Part newPart(Path target) throws IOException {
        if (closed) {
            throw new IOException("the back end is closed");
        }
        String name = HexFormat.of().toHexDigits(random.nextLong());
        if (Mounts.areOne(root, target.resolveSibling(".").normalize())) {
            open();
            return new Part(place.resolve(name), Optional.empty(), target, new ByteRanges());
        }
        Path file = target.resolveSibling(beside + name);
        return new Part(file, noted(file, name), target, new ByteRanges());
    }

    /** Notes where a file lies before it is there; not where nothing can be made in the root. */
    private Optional<Path> noted(Path file, String name) {
        try {
            open();
            return Optional.of(Files.createSymbolicLink(place.resolve(name), file));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Makes the place, unless it is there. */
    private void open() throws IOException {
        if (lock.isOpen()) {
            return;
        }
        Files.createDirectories(place.getParent());
        // files that are not whole yet have no rights of their own
        Files.createDirectories(
                place, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        lock = FileChannel.open(place.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (lock.tryLock() == null) {
            throw new IOException(place + " is locked by another process");
        }
    }

    /** Returns what a file is known by to a successor, if it lies where none would look for it. */
    static Optional<String> left(Path file) {
        return Optional.of(file.toString())
                .filter(text -> isBeside(file) && text.chars().noneMatch(Character::isISOControl));
    }

    private static boolean isBeside(Path file) {
        return String.valueOf(file.getFileName()).startsWith(Confinement.OWN + "-");
    }

    /**
     * Removes what a killed process left beside its target.
     *
     * @param left as {@link #left} told
     */
    void discard(String left) throws IOException {
        Path file = Path.of(left);
        boolean isOurs = String.valueOf(file.getFileName()).startsWith(beside);
        if (!isOurs) {
            removeBeside(root, file);
        }
    }

    private static void removeBeside(Path root, Path file) throws IOException {
        Path directory = file.getParent();
        if (directory != null && isBeside(file) && Files.isDirectory(directory) && isInside(root, directory)) {
            Files.deleteIfExists(file);
        }
    }

    private static boolean isInside(Path root, Path directory) throws IOException {
        return directory.toRealPath().equals(directory) && directory.startsWith(root);
    }

    @Override
    public synchronized void close() {
        closed = true;
        try {
            if (lock.isOpen()) {
                remove(root, place);
                lock.close();
                Files.deleteIfExists(place.getParent());
            }
        } catch (IOException e) {
            // the next process removes it
        }
    }
}
