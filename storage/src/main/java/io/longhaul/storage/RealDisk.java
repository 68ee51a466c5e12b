package io.longhaul.storage;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

/** The disk of this machine. */
final class RealDisk implements Disk {
    private static final FileAttribute<?>[] ANYBODY = {}; // as the process's umask has it
    private static final FileAttribute<?>[] OWNER_ONLY = mode("rwx------");

    /** Who may write to a directory may put another one in the place of what is in it. */
    private static final FileAttribute<?>[] OTHERS_READ = mode("rwxr-xr-x");

    static final Disk INSTANCE = new RealDisk();

    private final FileSystemSync fileSystems = FileSystemSync.ofSystem();

    private RealDisk() {}

    @Override
    public DiskFile open(Path path) {
        refuseUnlessRegular(path);
        try {
            return RealDiskFile.open(path);
        } catch (IOException e) {
            throw DiskFailure.of("open", path, 0, e);
        }
    }

    @Override
    public DiskFile create(Path path) {
        try {
            return RealDiskFile.create(path);
        } catch (IOException e) {
            throw DiskFailure.of("create", path, 0, e);
        }
    }

    @Override
    public DiskFile openForReading(Path path) {
        refuseUnlessRegular(path);
        try {
            return RealDiskFile.openForReading(path);
        } catch (IOException e) {
            throw DiskFailure.of("open", path, 0, e);
        }
    }

    @Override
    public void createDirectories(Path directory) {
        createDirectories(directory, ANYBODY, ANYBODY);
    }

    @Override
    public void createPrivateDirectory(Path directory) {
        createDirectories(directory, OTHERS_READ, OWNER_ONLY);
    }

    private static FileAttribute<?>[] mode(String permissions) {
        return new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        };
    }

    private void createDirectories(Path directory, FileAttribute<?>[] ofParents, FileAttribute<?>[] ofTheLast) {
        Path absolute = RealPath.withoutDots(directory);
        Deque<Path> missing = new ArrayDeque<>();
        Path existing = absolute;
        while (existing != null && !Files.exists(existing, LinkOption.NOFOLLOW_LINKS)) {
            missing.push(existing);
            existing = existing.getParent();
        }
        if (missing.isEmpty()) {
            if (!Files.isDirectory(absolute, LinkOption.NOFOLLOW_LINKS)) {
                throw new PathRefusedException("create directory " + absolute + ": exists and is not a directory");
            }
            syncNameOf(absolute);
            return;
        }
        for (Path each : missing) {
            try {
                Files.createDirectory(each, each.equals(absolute) ? ofTheLast : ofParents);
            } catch (FileAlreadyExistsException e) {
                if (!Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
                    throw DiskFailure.of("create directory", each, 0, e);
                }
            } catch (NoSuchFileException e) {
                throw new StorageException(
                        StorageException.Code.IO,
                        "create directory " + each
                                + ": expected a file system that takes directories, found one that takes"
                                + " none, or the one above gone",
                        e);
            } catch (IOException e) {
                throw DiskFailure.of("create directory", each, 0, e);
            }
            syncDirectory(parentOf(each));
        }
    }

    private static Path parentOf(Path path) {
        return Objects.requireNonNull(path.getParent(), "a directory that was missing has a parent");
    }

    /** Its maker may have died before it synced the name; a parent that may not be read was made by somebody else. */
    private static void syncNameOf(Path directory) {
        Path parent = directory.getParent();
        if (parent == null) {
            return;
        }
        try {
            forceDirectory(parent);
        } catch (AccessDeniedException e) {
            return;
        } catch (IOException e) {
            throw DiskFailure.of("sync directory", parent, 0, e);
        }
    }

    @Override
    public void createDirectory(Path directory) {
        try {
            Files.createDirectory(directory);
        } catch (IOException e) {
            throw DiskFailure.of("create directory", directory, 0, e);
        }
    }

    @Override
    public void createSymbolicLink(Path link, String target) {
        try {
            Files.createSymbolicLink(link, link.getFileSystem().getPath(target));
        } catch (IOException e) {
            throw DiskFailure.of("create symbolic link", link, 0, e);
        }
    }

    @Override
    public void createLink(Path link, Path existing) {
        try {
            Files.createLink(link, existing);
        } catch (IOException e) {
            throw DiskFailure.of("link " + existing + " as", link, 0, e);
        }
    }

    @Override
    public void rename(Path from, Path to) {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw DiskFailure.of("rename " + from + " to", to, 0, e);
        }
    }

    @Override
    public void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw DiskFailure.of("remove", path, 0, e);
        }
    }

    @Override
    public void deleteTree(Path directory) {
        try {
            TreeRemoval.run(directory);
        } catch (IOException e) {
            throw DiskFailure.of("remove", directory, 0, e);
        }
    }

    @Override
    public void syncDirectory(Path directory) {
        try {
            forceDirectory(directory);
        } catch (IOException e) {
            throw DiskFailure.of("sync directory", directory, 0, e);
        }
    }

    @Override
    public boolean canSyncFileSystem(Path directory) {
        return fileSystems.isAtHand(directory);
    }

    @Override
    public void syncFileSystem(Path directory) {
        try {
            fileSystems.run(directory);
        } catch (IOException e) {
            throw DiskFailure.of("sync the file system of", directory, 0, e);
        }
    }

    /** An interrupt closes the channel: the directory is synced all the same, and the thread keeps its interrupt. */
    private static void forceDirectory(Path directory) throws IOException {
        boolean interrupted = false;
        boolean forced = false;
        while (!forced) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
                forced = true;
            } catch (ClosedByInterruptException e) {
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void setAttributes(Path path, int mode, long modifiedNanos) {
        try {
            Attributes.set(path, mode, modifiedNanos);
        } catch (IOException e) {
            throw DiskFailure.of("set mode and time of", path, 0, e);
        }
    }

    @Override
    public long usableSpace(Path path) {
        return nearestExisting(path).toFile().getUsableSpace();
    }

    /** Returns the path, or the nearest directory above it that is there. */
    static Path nearestExisting(Path path) {
        Path existing = path.toAbsolutePath();
        while (existing.getParent() != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        return existing;
    }

    /** Opening a named pipe or a device could block for ever. */
    private static void refuseUnlessRegular(Path path) {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new StorageException(
                    StorageException.Code.IO,
                    "open " + path + ": expected a regular file, found "
                            + (Files.isSymbolicLink(path)
                                    ? "a symbolic link"
                                    : Files.isDirectory(path) ? "a directory" : "a special file"));
        }
    }
}
