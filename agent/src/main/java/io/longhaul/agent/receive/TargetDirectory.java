package io.longhaul.agent.receive;

import io.longhaul.storage.Disk;
import io.longhaul.storage.StorageException;
import io.longhaul.wire.Names;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;

/**
 * The directory that a subscription's files appear in, and the only way to a path inside it.
 *
 * <p>It is resolved once. Below it no link is followed: a delivered name whose parents are anything but directories is
 * refused. {@code .longhaul} in it is the receiver's own, mode 0700. Immutable; may be used from any thread.
 */
final class TargetDirectory {
    static final String RESERVED = ".longhaul";
    private static final String HELD = "held";
    private static final int PRIVATE = 0700;
    private static final int PERMISSIONS = 0777;
    private static final int MAX_PATH_BYTES = 4095;

    private final Disk disk;
    private final Path root;

    private TargetDirectory(Disk disk, Path root) {
        this.disk = disk;
        this.root = root;
    }

    /** Makes the directory and its reserved part when missing. */
    static TargetDirectory open(Disk disk, Path into, long nowNanos) {
        try {
            if (!Files.isDirectory(into)) {
                disk.createDirectories(into);
            }
            TargetDirectory target = new TargetDirectory(disk, into.toRealPath());
            target.openReserved(nowNanos);
            return target;
        } catch (IOException e) {
            throw new StorageException(
                    StorageException.Code.IO,
                    "directory " + into + ": expected a directory, found " + e.getMessage(),
                    e);
        }
    }

    private void openReserved(long nowNanos) throws IOException {
        Path reserved = reserved();
        if (!Files.exists(reserved, LinkOption.NOFOLLOW_LINKS)) {
            disk.createPrivateDirectory(reserved);
        }
        if (!Files.isDirectory(reserved, LinkOption.NOFOLLOW_LINKS)) {
            throw new StorageException(
                    StorageException.Code.IO,
                    reserved + ": expected a directory of Longhaul's own, found something else");
        }
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(reserved, LinkOption.NOFOLLOW_LINKS);
        if (!mode.equals(Set.of(
                PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE))) {
            disk.setAttributes(reserved, PRIVATE, nowNanos);
            disk.syncDirectory(reserved);
        }
    }

    /** Returns what is kept of a publisher's mode: a stranger makes no set-uid, set-gid or sticky file here. */
    static int permissions(int mode) {
        return mode & PERMISSIONS;
    }

    /** Returns the size of the file system, bytes. */
    long capacity() {
        return root.toFile().getTotalSpace();
    }

    Path root() {
        return root;
    }

    Path reserved() {
        return root.resolve(RESERVED);
    }

    /** Whether names can be made here at all, and durable: else what is refused is not the fault of one transfer. */
    boolean isWritable() {
        return List.of(root, reserved()).stream()
                .allMatch(each -> Files.isReadable(each) && Files.isWritable(each) && Files.isExecutable(each));
    }

    /** Where a transfer is put together before it appears. */
    Path staging(String transferId, String subscription) {
        return reserved().resolve(transferId + "@" + subscription);
    }

    /** Where a delivered transfer is kept for repairs whatever happens to its place. */
    static Path held(Path root, String transferId, String subscription) {
        return heldIn(root).resolve(transferId + "@" + subscription);
    }

    static Path heldIn(Path root) {
        return root.resolve(RESERVED).resolve(HELD);
    }

    static Path staging(Path root, String transferId, String subscription) {
        return root.resolve(RESERVED).resolve(transferId + "@" + subscription);
    }

    /**
     * Returns the path of a delivered name; throws {@link RefusedTransfer} when the name is reserved or a parent is a
     * link or no directory.
     */
    Path place(String name) {
        Names.path(name);
        if (name.equals(RESERVED) || name.startsWith(RESERVED + "/")) {
            throw new RefusedTransfer("name " + Names.shown(name) + ": " + RESERVED + " is reserved");
        }
        Path path = child(root, name);
        for (Path parent = path.getParent(); parent != null && !parent.equals(root); parent = parent.getParent()) {
            if (Files.exists(parent, LinkOption.NOFOLLOW_LINKS)
                    && !Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)) {
                throw new RefusedTransfer("name " + Names.shown(name) + ": expected a directory at "
                        + Names.shown(root.relativize(parent).toString()) + ", found "
                        + (Files.isSymbolicLink(parent) ? "a symbolic link" : "a file"));
            }
        }
        return path;
    }

    /** Returns the path of a checked relative name below a directory; refuses what this system cannot name. */
    static Path child(Path directory, String name) {
        Path path;
        try {
            path = directory.resolve(name);
        } catch (InvalidPathException e) {
            throw new RefusedTransfer(
                    "name " + Names.shown(name) + ": this system cannot write it, a UTF-8 locale is needed", e);
        }
        int bytes = path.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_PATH_BYTES) {
            throw new RefusedTransfer("name " + Names.shown(name) + ": expected at most " + MAX_PATH_BYTES
                    + " bytes with its directory, found " + bytes);
        }
        return path;
    }

    /** Makes missing parents of a place; their names are durable afterwards, also those that a dead process made. */
    void createParents(Path place) {
        Path parent = place.getParent();
        if (parent != null && !parent.equals(root)) {
            disk.createDirectories(parent);
        }
    }

    /** Returns the path relative to this directory, as receipts name it. */
    String relative(Path place) {
        return root.relativize(place).toString();
    }
}
