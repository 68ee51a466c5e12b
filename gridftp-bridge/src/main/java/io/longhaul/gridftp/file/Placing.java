package io.longhaul.gridftp.file;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Optional;
import java.util.concurrent.locks.Lock;

/**
 * Makes a part the file of its name: adds what stays of the file that is there, forces, renames, syncs the directory.
 *
 * @param kind what stays; the part of a write that was suspended is {@link Kind#RESUME}
 * @param basis what an overlay's sender takes for granted; empty for nothing
 * @param checksum that the file must have
 * @param lock held meanwhile, so that of two changes to one file neither is lost
 */
record Placing(Kind kind, Optional<Basis> basis, Optional<WriteRequest.Checksum> checksum, Lock lock, Entries entries) {
    private static final long COPY_BYTES = 64L * 1024 * 1024;

    /**
     * A file that was there when a sender began behind its bytes.
     *
     * @param end of the bytes that the sender leaves out
     */
    record Basis(FileVersion version, long end) {}

    /**
     * Does it.
     *
     * @param moved run each time that some bytes have been copied or checked
     */
    Entry place(FilePath path, Part part, FileChannel bytes, Runnable moved) throws IOException {
        lock.lock();
        try {
            Path target = part.target();
            checkBasis(path, target);
            if (kind == Kind.RESUME) {
                // the cut may have left bytes that the sender did not take for granted
                bytes.truncate(part.copy().end());
            }
            if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                if (kind != Kind.REPLACE && kind != Kind.RESUME) {
                    keepFrom(target, part, bytes, moved);
                }
                keepRights(target, part.place());
            }
            check(path, part.place(), moved);
            bytes.force(true);
            checkDirectory(path, target);
            // looked at before it has its name, by which somebody may remove it
            Entry placed = entries.of(part.place(), path.name());
            Files.move(part.place(), target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            sync(target.resolveSibling("."));
            return placed;
        } finally {
            lock.unlock();
        }
    }

    private void checkBasis(FilePath path, Path target) {
        if (basis.isPresent()
                && !FileVersion.of(target).equals(Optional.of(basis.get().version()))) {
            throw Failures.of(path, BackendException.Code.BAD_RANGE);
        }
    }

    /** A directory on the way may have become a link since the write began. */
    private static void checkDirectory(FilePath path, Path target) throws IOException {
        Path directory = target.resolveSibling(".").normalize();
        if (!directory.toRealPath().equals(directory)) {
            throw Failures.of(path, BackendException.Code.DENIED);
        }
    }

    /**
     * The write ends without the file. Whoever resumes it by a position must not find the old file's bytes instead of those
     * that had come.
     */
    void givenUp(Path target, Suspended suspended) {
        if (basis.isPresent() || kind == Kind.REPLACE || kind == Kind.RESUME) {
            long granted = basis.map(Basis::end).orElse(0L);
            FileVersion.of(target).ifPresent(version -> suspended.doubts().add(target, version, granted));
        }
    }

    private void check(FilePath path, Path file, Runnable moved) throws IOException {
        if (checksum.isPresent()) {
            String found = FileSum.of(file, checksum.get().algorithm(), done -> moved.run());
            checksum.get().demand(path.toString(), found);
        }
    }

    private void keepFrom(Path target, Part part, FileChannel bytes, Runnable moved) throws IOException {
        try (FileChannel old = FileChannel.open(target, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            if (kind == Kind.APPEND) {
                shift(bytes, old.size(), moved);
                copy(old, bytes, new ByteRange(0, old.size()), moved);
                return;
            }
            for (ByteRange range : part.copy().missing(old.size())) {
                copy(old, bytes, range, moved);
            }
        }
    }

    /** Moves all bytes toward the end; the last ones first, so that none is overwritten before it was moved. */
    private static void shift(FileChannel bytes, long distance, Runnable moved) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
        long end = bytes.size();
        while (distance > 0 && end > 0) {
            long start = Math.max(0, end - buffer.capacity());
            buffer.clear().limit((int) (end - start));
            while (buffer.hasRemaining()) {
                if (bytes.read(buffer, start + buffer.position()) < 0) {
                    throw new EOFException("the part became shorter");
                }
            }
            buffer.flip();
            while (buffer.hasRemaining()) {
                bytes.write(buffer, start + distance + buffer.position());
            }
            end = start;
            moved.run();
        }
    }

    private static void copy(FileChannel from, FileChannel to, ByteRange range, Runnable moved) throws IOException {
        to.position(range.start());
        long at = range.start();
        while (at < range.end()) {
            long copied = from.transferTo(at, Math.min(COPY_BYTES, range.end() - at), to);
            if (copied <= 0) {
                throw new EOFException("the file became shorter");
            }
            at += copied;
            moved.run();
        }
    }

    /** A file that is replaced keeps who may do what, as one that is written into does. */
    private static void keepRights(Path from, Path to) throws IOException {
        PosixFileAttributes old;
        try {
            old = Files.readAttributes(from, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            // removed at this moment
            return;
        }
        PosixFileAttributeView view = Files.getFileAttributeView(to, PosixFileAttributeView.class);
        PosixFileAttributes now = view.readAttributes();
        if (!now.owner().equals(old.owner())) {
            try {
                view.setOwner(old.owner());
            } catch (IOException e) {
                // only root can give files away
            }
        }
        if (!now.group().equals(old.group())) {
            try {
                view.setGroup(old.group());
            } catch (IOException e) {
                // only to groups that one is in
            }
        }
        view.setPermissions(old.permissions());
    }

    static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
