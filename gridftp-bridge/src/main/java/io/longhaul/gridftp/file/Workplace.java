package io.longhaul.gridftp.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
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
 * Where files lie until they are whole: {@code .longhaul/front-N/} in the root, made at the first file; those on another file system
 * beside their targets, as {@code .longhaul-N-M}.
 *
 * <p>Each process locks its own; what is there without a lock was left by one that was killed, and is removed. Files on
 * other file systems are removed when a successor is told of them.
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
                    removeIfLeft(place);
                }
            }
        }
        // a closed channel stands for none
        FileChannel none = FileChannel.open(root, StandardOpenOption.READ);
        none.close();
        return new Workplace(root, random, none);
    }

    private static void removeIfLeft(Path place) throws IOException {
        try (FileChannel channel =
                        FileChannel.open(place.resolve(LOCK), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                FileLock held = channel.tryLock()) {
            if (held != null) {
                remove(place);
            }
        } catch (NoSuchFileException e) {
            // being made or being removed
        } catch (AccessDeniedException e) {
            // another account's
        }
    }

    private static void remove(Path place) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(place)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(place);
    }

    /**
     * Returns a name for a new file on the same file system as its target, so that the rename is atomic.
     *
     * @param directory that the target is in
     */
    synchronized Path newFile(Path directory) throws IOException {
        if (closed) {
            throw new IOException("the back end is closed");
        }
        String name = HexFormat.of().toHexDigits(random.nextLong());
        if (!Files.getAttribute(directory, "unix:dev").equals(Files.getAttribute(root, "unix:dev"))) {
            return directory.resolve(beside + name);
        }
        if (!lock.isOpen()) {
            Files.createDirectories(place.getParent());
            // files that are not whole yet have no rights of their own
            Files.createDirectories(
                    place, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            lock = FileChannel.open(place.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock.tryLock() == null) {
                throw new IOException(place + " is locked by another process");
            }
        }
        return place.resolve(name);
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
        Path directory = file.getParent();
        boolean isOurs = String.valueOf(file.getFileName()).startsWith(beside);
        if (directory != null && isBeside(file) && !isOurs && Files.isDirectory(directory) && isInside(directory)) {
            Files.deleteIfExists(file);
        }
    }

    private boolean isInside(Path directory) throws IOException {
        return directory.toRealPath().equals(directory) && directory.startsWith(root);
    }

    @Override
    public synchronized void close() {
        closed = true;
        try {
            if (lock.isOpen()) {
                remove(place);
                lock.close();
                Files.deleteIfExists(place.getParent());
            }
        } catch (IOException e) {
            // the next process removes it
        }
    }
}
