package io.longhaul.agent.receive;

import io.longhaul.storage.Disk;
import io.longhaul.storage.DiskFile;
import io.longhaul.storage.StorageException;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.PieceHeader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the bytes of one transfer lie until it appears.
 *
 * <pre>
 * INTO/.longhaul/TRANSFER@SUBSCRIPTION/
 *   part      a single file
 *   packs     a tree: pack bodies, that of piece i at i * pieceSize
 *   file-N    a tree: the large file that is entry N
 *   tree/     a tree as it will appear
 *   old       what was in its place before
 * </pre>
 *
 * A tree's paths play no role until everything is here, so nothing that a piece says can lead out of this directory.
 */
final class Staging {
    private static final int OPEN_TO_OWNER = 0600;
    private static final int ZEROS = 64 * 1024;
    /** Smallest run of zeros that becomes a hole: a few blocks of a file system, so that runs stay few. */
    private static final int HOLE_BLOCK = 16 * 1024;

    private static final ByteBuffer ZERO_BLOCK = ByteBuffer.allocate(HOLE_BLOCK).asReadOnlyBuffer();

    private final Disk disk;
    private final Path directory;
    private final Manifest manifest;
    // receiver thread only; a dead process may have made the directory without syncing its name
    private boolean namesForced;
    /** When each file last changed as far as this process did it; the receiver thread's, at the end the finisher's. */
    private final Map<Path, Optional<FileTime>> left = new HashMap<>();

    Staging(Disk disk, Path directory, Manifest manifest) {
        this.disk = disk;
        this.directory = directory;
        this.manifest = manifest;
    }

    Path directory() {
        return directory;
    }

    Path part() {
        return partIn(directory);
    }

    static Path partIn(Path directory) {
        return directory.resolve("part");
    }

    Path packs() {
        return directory.resolve("packs");
    }

    Path file(long entry) {
        return directory.resolve("file-" + entry);
    }

    Path tree() {
        return treeIn(directory);
    }

    static Path treeIn(Path directory) {
        return directory.resolve("tree");
    }

    Path old() {
        return directory.resolve("old");
    }

    /** Returns the file that a piece of this kind and entry lies in. */
    Path fileOf(PieceHeader.Kind kind, long entry) {
        if (!manifest.tree()) {
            return part();
        }
        return kind == PieceHeader.Kind.PACK ? packs() : file(entry);
    }

    /** Returns where in its file a piece lies. */
    long positionOf(PieceHeader.Kind kind, long index, long offset) {
        return kind == PieceHeader.Kind.PACK ? index * manifest.pieceSize() : offset;
    }

    /** Opens a file for writing in a batch, which will force and close it; makes the directory when it is missing. */
    DiskFile open(Path path, WriteBatch batch) {
        DiskFile open = batch.open(path);
        if (open != null) {
            return open;
        }
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            disk.createDirectory(directory);
            namesForced = false;
        }
        removeLink(path);
        boolean isNew = !Files.exists(path, LinkOption.NOFOLLOW_LINKS);
        if (!namesForced || isNew) {
            batch.syncLater(directory);
        }
        if (!namesForced) {
            batch.syncLater(Objects.requireNonNull(directory.getParent()));
            namesForced = true;
        }
        if (!isNew) {
            unlock(path);
        }
        return batch.add(path, disk.open(path));
    }

    /**
     * Writes a piece; the caller has checked it. Zeros are written only where something else lies, so that small holes of
     * the source stay holes, too.
     *
     * @param readSoon whether the bytes will be read back, for a digest that could not take them as they passed
     */
    void write(PieceHeader header, ByteBuffer body, boolean mayBeDirty, boolean readSoon, DiskFile file) {
        long position = positionOf(header.kind(), header.index(), header.offset());
        if (header.kind() == PieceHeader.Kind.HOLE) {
            if (mayBeDirty) {
                writeZeros(file, position, header.length());
            }
        } else if (header.kind() == PieceHeader.Kind.PACK) {
            file.write(body.duplicate(), position);
        } else {
            writeRuns(mayBeDirty || readSoon ? file::write : file::writeDirect, mayBeDirty, file, position, body);
        }
    }

    /**
     * Notes how a file was left after a write. Somebody else's change is not seen when it comes during the write, or in the
     * same tick of the kernel's clock: up to 4 ms where Linux is older than 6.13, up to 2 s on a few file systems.
     *
     * @param latestMillis when the write had begun for certain, which is when the kernel takes the time of a change; later
     *     it was somebody else, while this process was stopped
     */
    void leave(Path path, long latestMillis) {
        left.put(path, changed(path).filter(time -> time.toMillis() <= latestMillis));
    }

    /** Whether nobody else has changed a file, or taken it away, since it was left; true of one that never was. */
    boolean isAsLeft(Path path) {
        Optional<FileTime> known = left.get(path);
        return known == null || known.isPresent() && known.equals(changed(path));
    }

    /**
     * Whether that holds of all files. Of none from then on, when the caller gives them modes and names of their own: who asks
     * again has to read them back.
     */
    boolean areAllAsLeft() {
        boolean all = left.keySet().stream().allMatch(this::isAsLeft);
        left.replaceAll((path, time) -> Optional.empty());
        return all;
    }

    /** The time of the last change of anything, which nobody can set, unlike that of modification. */
    private static Optional<FileTime> changed(Path path) {
        try {
            return Optional.of((FileTime) Files.getAttribute(path, "unix:ctime", LinkOption.NOFOLLOW_LINKS));
        } catch (IOException e) {
            return Optional.empty(); // whoever uses the file next tells why
        }
    }

    private interface Write {
        void at(ByteBuffer bytes, long position);
    }

    /** Writes what lies between runs of zeros; blocks are aligned in the file, so that a run left out is a hole. */
    private static void writeRuns(Write write, boolean mayBeDirty, DiskFile file, long position, ByteBuffer body) {
        int length = body.remaining();
        int written = 0;
        for (int from = 0; from < length; ) {
            int to = (int) Math.min(length, (position + from) / HOLE_BLOCK * HOLE_BLOCK + HOLE_BLOCK - position);
            ByteBuffer block = body.slice(body.position() + from, to - from);
            boolean ends = to == length && file.length() < position + length;
            if (!ends
                    && block.mismatch(ZERO_BLOCK.slice(0, to - from)) < 0
                    && (!mayBeDirty || isZero(file, position + from, to - from))) {
                writeRun(write, position, body, written, from);
                written = to;
            }
            from = to;
        }
        writeRun(write, position, body, written, length);
    }

    private static void writeRun(Write write, long position, ByteBuffer body, int from, int to) {
        if (to > from) {
            write.at(body.slice(body.position() + from, to - from), position + from);
        }
    }

    private static boolean isZero(DiskFile file, long position, int length) {
        ByteBuffer found = ByteBuffer.allocate(length);
        file.read(found, position);
        return found.flip().mismatch(ZERO_BLOCK.slice(0, found.limit())) < 0;
    }

    private static void writeZeros(DiskFile file, long position, int length) {
        ByteBuffer found = ByteBuffer.allocate(Math.min(ZEROS, length));
        for (long at = position; at < position + length; at += found.capacity()) {
            found.clear().limit((int) Math.min(found.capacity(), position + length - at));
            int count = file.read(found, at);
            if (count > 0 && found.flip().mismatch(ByteBuffer.allocate(count)) >= 0) {
                file.write(ByteBuffer.allocate(count), at);
            }
        }
    }

    /** Somebody has put a link in the place of a file: what was there is gone, and comes again. */
    private void removeLink(Path path) {
        if (Files.isSymbolicLink(path)) {
            disk.delete(path);
        }
    }

    /** Removes what is no file of this transfer, though it has the name of one. */
    void removeLinks() {
        if (!exists()) {
            return;
        }
        try (Stream<Path> files = Files.list(directory)) {
            files.forEach(this::removeLink);
        } catch (IOException | UncheckedIOException e) {
            throw new StorageException(StorageException.Code.IO, "list " + directory + ": " + e.getMessage(), e);
        }
    }

    /** Opens one of the files for reading and attribute changes; CLOSED by the caller. */
    DiskFile reopen(Path path) {
        unlock(path);
        return disk.open(path);
    }

    /** A crash may have come after the final mode was set, which may forbid even the owner. */
    private void unlock(Path path) {
        if (!Files.isReadable(path) || !Files.isWritable(path)) {
            FileIdentity found = FileIdentity.of(path)
                    .orElseThrow(() -> new StorageException(
                            StorageException.Code.DAMAGED, path + ": expected a part file, found nothing"));
            disk.setAttributes(path, OPEN_TO_OWNER, found.modifiedNanos());
        }
    }

    /** Whether any of the files exists. */
    boolean exists() {
        return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS);
    }

    /** Removes everything; the removal need not be durable, since the next start repeats it. */
    void discard() {
        disk.deleteTree(directory);
    }
}
