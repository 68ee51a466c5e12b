package io.longhaul.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** The disk of this machine. */
final class RealDisk implements Disk {
    static final Disk INSTANCE = new RealDisk();

    private static final int MODE_BITS = 07777;

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
        Path absolute = directory.toAbsolutePath().normalize();
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
                Files.createDirectory(each);
            } catch (FileAlreadyExistsException e) {
                if (!Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
                    throw DiskFailure.of("create directory", each, 0, e);
                }
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
            deleteRecursively(directory);
        } catch (IOException e) {
            throw DiskFailure.of("remove", directory, 0, e);
        }
    }

    private static void deleteRecursively(Path path) throws IOException {
        // an explicit stack: a tree may be deeper than the thread's
        Deque<Path> pending = new ArrayDeque<>();
        pending.push(path);
        while (!pending.isEmpty()) {
            Path each = pending.peek();
            if (!Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS) || !pushChildren(each, pending)) {
                Files.deleteIfExists(each);
                pending.pop();
            }
        }
    }

    private static boolean pushChildren(Path directory, Deque<Path> pending) throws IOException {
        try {
            return pushReadableChildren(directory, pending);
        } catch (AccessDeniedException e) {
            // a delivered tree may forbid its owner to list or change it
            Files.setAttribute(directory, "unix:mode", 0700, LinkOption.NOFOLLOW_LINKS);
            return pushReadableChildren(directory, pending);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static boolean pushReadableChildren(Path directory, Deque<Path> pending) throws IOException {
        boolean any = false;
        if (!Files.isWritable(directory) || !Files.isExecutable(directory)) {
            Files.setAttribute(directory, "unix:mode", 0700, LinkOption.NOFOLLOW_LINKS);
        }
        try (DirectoryStream<Path> children = Files.newDirectoryStream(directory)) {
            for (Path child : children) {
                if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                    pending.push(child);
                    any = true;
                } else {
                    Files.deleteIfExists(child);
                }
            }
        }
        return any;
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

    private static void forceDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public void setAttributes(Path path, int mode, long modifiedNanos) {
        try {
            // times first: setting them needs a right to read that the mode may take away
            Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .setTimes(FileTime.from(modifiedNanos, TimeUnit.NANOSECONDS), null, null);
            if (!Files.isSymbolicLink(path)) {
                Files.setAttribute(path, "unix:mode", mode & MODE_BITS, LinkOption.NOFOLLOW_LINKS);
            }
        } catch (IOException e) {
            throw DiskFailure.of("set mode and time of", path, 0, e);
        }
    }

    @Override
    public long usableSpace(Path path) {
        Path existing = path.toAbsolutePath();
        while (existing.getParent() != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        return existing.toFile().getUsableSpace();
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
