package io.longhaul.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A disk over a real directory that forgets, at {@link #powerLoss}, every byte, length, attribute and name that was not
 * forced; a name needs its directory synced, even if the file was forced.
 *
 * <p>After the loss this disk is off for good: whoever still uses it gets an error, as a process that is gone would do
 * nothing. {@link #restart} gives the disk of the machine that comes up again. Files that others put into the directory
 * count as durable when they are first met. All methods may be called from any thread.
 */
public final class ForgetfulDisk implements Disk {
    private final Path root;
    private final Path inodes;
    private final Disk real = Disk.real();
    private final ForgottenDirectory top = new ForgottenDirectory();
    private int inodeCount;
    private boolean off;
    private long operations;
    private long operationsLeft = Long.MAX_VALUE;

    /**
     * Takes the directory over; what is in it counts as durable.
     *
     * @param root where callers work; only paths in it are taken
     * @param scratch a directory for this disk's own use on the same file system, outside of the root
     */
    public ForgetfulDisk(Path root, Path scratch) {
        try {
            this.root = Files.createDirectories(root).toRealPath();
            this.inodes = Files.createTempDirectory(Files.createDirectories(scratch), "inodes");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets the power fail before the operation that follows on so many that change or force something. */
    public synchronized void failAfter(long count) {
        operationsLeft = count;
    }

    /** Returns how many operations changed or forced something. */
    public synchronized long operations() {
        return operations;
    }

    /** Forgets everything that was not forced. */
    public void powerLoss() {
        lose(null);
    }

    /** Forgets what was not forced, but for what chance lets survive: whole or torn writes, first changes of names. */
    public void powerLoss(RandomGenerator chance) {
        lose(chance);
    }

    private synchronized void lose(RandomGenerator chance) {
        off = true;
        clear(root);
        restore(root, top, chance, new IdentityHashMap<>());
    }

    /** Returns the disk of the machine that comes up again after the power loss. */
    public synchronized ForgetfulDisk restart() {
        if (!off) {
            throw new IllegalStateException("the power is on");
        }
        return new ForgetfulDisk(root, inodes.getParent());
    }

    private void clear(Path directory) {
        for (Path child : list(directory)) {
            if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                real.deleteTree(child);
            } else {
                real.delete(child);
            }
        }
    }

    private void restore(
            Path directory, ForgottenDirectory node, RandomGenerator chance, Map<ForgottenNode, Path> restored) {
        node.survivors(chance).forEach((name, child) -> {
            Path path = directory.resolve(name);
            if (child instanceof ForgottenFile file) {
                if (restored.put(file, path) == null) {
                    file.forget(real, chance);
                }
                real.createLink(path, file.inode);
                file.restoreAttributes(real, path);
            } else if (child instanceof ForgottenLink link) {
                real.createSymbolicLink(path, link.target);
            } else if (child instanceof ForgottenDirectory inner && restored.put(inner, path) == null) {
                real.createDirectory(path);
                restore(path, inner, chance, restored);
                inner.restoreAttributes(real, path);
            }
        });
    }

    private static List<Path> list(Path directory) {
        try (Stream<Path> children = Files.list(directory)) {
            return children.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void count() {
        requirePower();
        if (operationsLeft <= 0) {
            off = true;
            requirePower();
        }
        operationsLeft--;
        operations++;
    }

    private void requirePower() {
        if (off) {
            throw new StorageException(StorageException.Code.IO, "the power is off");
        }
    }

    private ForgottenDirectory directory(Path path) {
        if (!(find(path) instanceof ForgottenDirectory directory)) {
            throw new StorageException(StorageException.Code.IO, path + ": is not a directory of this disk");
        }
        return directory;
    }

    private ForgottenDirectory parent(Path path) {
        return directory(path.toAbsolutePath().normalize().getParent());
    }

    private static String name(Path path) {
        return path.toAbsolutePath().normalize().getFileName().toString();
    }

    /** Returns the node at the path, taking over what is there without this disk's knowledge; null when nothing is. */
    private ForgottenNode find(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        if (!absolute.startsWith(root)) {
            throw new IllegalArgumentException(path + " is not in " + root);
        }
        ForgottenNode node = top;
        Path at = root;
        for (Path step : root.relativize(absolute)) {
            if (step.toString().isEmpty()) {
                break;
            }
            at = at.resolve(step);
            if (!(node instanceof ForgottenDirectory directory)) {
                return null;
            }
            if (!directory.now.containsKey(step.toString()) && Files.exists(at, LinkOption.NOFOLLOW_LINKS)) {
                directory.put(step.toString(), adopt(at));
                directory.synced();
            }
            node = directory.now.get(step.toString());
        }
        return node;
    }

    private ForgottenNode adopt(Path path) {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            ForgottenDirectory directory = new ForgottenDirectory();
            for (Path child : list(path)) {
                directory.put(child.getFileName().toString(), adopt(child));
            }
            directory.synced();
            return directory;
        }
        if (Files.isSymbolicLink(path)) {
            try {
                return new ForgottenLink(Files.readSymbolicLink(path).toString());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return new ForgottenFile(keepAlive(path));
    }

    private Path keepAlive(Path path) {
        Path inode = inodes.resolve(Integer.toString(inodeCount++));
        real.createLink(inode, path);
        return inode;
    }

    @Override
    public synchronized DiskFile open(Path path) {
        requirePower();
        ForgottenNode node = find(path);
        return node == null ? create(path) : handle(node, real.open(path), path);
    }

    @Override
    public synchronized DiskFile create(Path path) {
        count();
        DiskFile file = real.create(path);
        ForgottenFile fresh = new ForgottenFile(keepAlive(path));
        parent(path).put(name(path), fresh);
        return new Handle(fresh, file);
    }

    @Override
    public synchronized DiskFile openForReading(Path path) {
        requirePower();
        return handle(find(path), real.openForReading(path), path);
    }

    private DiskFile handle(ForgottenNode node, DiskFile file, Path path) {
        if (!(node instanceof ForgottenFile known)) {
            throw new StorageException(StorageException.Code.IO, path + ": is not a file of this disk");
        }
        return new Handle(known, file);
    }

    @Override
    public synchronized void createDirectories(Path directory) {
        requirePower();
        Path absolute = directory.toAbsolutePath().normalize();
        if (find(absolute) == null) {
            createDirectories(absolute.getParent());
            createDirectory(absolute);
            syncDirectory(absolute.getParent());
        } else {
            directory(absolute);
        }
    }

    @Override
    public void createPrivateDirectory(Path directory) {
        createDirectories(directory);
    }

    @Override
    public synchronized void createDirectory(Path directory) {
        count();
        real.createDirectory(directory);
        parent(directory).put(name(directory), new ForgottenDirectory());
    }

    @Override
    public synchronized void createSymbolicLink(Path link, String target) {
        count();
        real.createSymbolicLink(link, target);
        parent(link).put(name(link), new ForgottenLink(target));
    }

    @Override
    public synchronized void createLink(Path link, Path existing) {
        count();
        ForgottenNode node = find(existing);
        real.createLink(link, existing);
        parent(link).put(name(link), node);
    }

    @Override
    public synchronized void rename(Path from, Path to) {
        count();
        ForgottenNode node = find(from);
        ForgottenDirectory target = parent(to);
        real.rename(from, to);
        parent(from).remove(name(from));
        target.put(name(to), node);
    }

    @Override
    public synchronized void delete(Path path) {
        if (find(path) != null) {
            count();
            real.delete(path);
            parent(path).remove(name(path));
        }
    }

    @Override
    public synchronized void deleteTree(Path directory) {
        if (find(directory) != null) {
            count();
            real.deleteTree(directory);
            parent(directory).remove(name(directory));
        }
    }

    @Override
    public synchronized void syncDirectory(Path directory) {
        count();
        real.syncDirectory(directory);
        directory(directory).synced();
    }

    @Override
    public boolean canSyncFileSystem(Path directory) {
        return true;
    }

    @Override
    public synchronized void syncFileSystem(Path directory) {
        count();
        top.syncedWithAll();
    }

    @Override
    public synchronized void setAttributes(Path path, int mode, long modifiedNanos) {
        count();
        ForgottenNode node = find(path);
        real.setAttributes(path, mode, modifiedNanos);
        node.setAttributes(new ForgottenNode.Attributes(mode, modifiedNanos));
    }

    @Override
    public long usableSpace(Path path) {
        return real.usableSpace(path);
    }

    private final class Handle implements DiskFile {
        private final ForgottenFile node;
        private final DiskFile file;

        Handle(ForgottenFile node, DiskFile file) {
            this.node = node;
            this.file = file;
        }

        @Override
        public void write(ByteBuffer bytes, long position) {
            synchronized (ForgetfulDisk.this) {
                count();
                node.write(file, bytes, position);
            }
        }

        @Override
        public int read(ByteBuffer into, long position) {
            synchronized (ForgetfulDisk.this) {
                requirePower();
            }
            return file.read(into, position);
        }

        @Override
        public void force() {
            synchronized (ForgetfulDisk.this) {
                count();
                node.forced();
            }
        }

        @Override
        public void setLength(long length) {
            synchronized (ForgetfulDisk.this) {
                count();
                node.setLength(file, length);
            }
        }

        @Override
        public long length() {
            return file.length();
        }

        @Override
        public void close() {
            file.close();
        }
    }
}
