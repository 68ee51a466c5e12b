package io.longhaul.broker.users;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

/**
 * The file that takes the place of a users file, whole or not at all. Its name beside it is a claim: while one process
 * has it, others wait, so that none writes what it read before another one's change.
 */
final class UsersFileReplacement implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Path file;
    private final Path fresh;
    private boolean taken;

    private UsersFileReplacement(Path file, Path fresh) {
        this.file = file;
        this.fresh = fresh;
    }

    static UsersFileReplacement of(Path file) throws IOException {
        return of(file, PATIENCE);
    }

    static UsersFileReplacement of(Path file, Duration patience) throws IOException {
        Path real = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        Path fresh = real.resolveSibling(real.getFileName() + ".new");
        long startNs = System.nanoTime();
        while (true) {
            try {
                Files.createFile(
                        fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                return new UsersFileReplacement(real, fresh);
            } catch (FileAlreadyExistsException e) {
                if (System.nanoTime() - startNs >= patience.toNanos()) {
                    throw new UsersException(
                            "users file " + file + ": another process is writing it; if there is none, one was killed:"
                                    + " remove " + fresh,
                            e);
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UsersException("interrupted while another process wrote the users file", e);
        }
    }

    void write(byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) { // a disk that fills takes a part of it at first
                channel.write(left);
            }
            channel.force(true);
        }
        if (Files.exists(file)) {
            keepAccess();
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        taken = true;
    }

    /** Who writes it is often not who reads it: root, and the broker's user. The owner comes last, as it gives access away. */
    private void keepAccess() throws IOException {
        PosixFileAttributes before = Files.readAttributes(file, PosixFileAttributes.class);
        PosixFileAttributeView view =
                Files.getFileAttributeView(fresh, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        PosixFileAttributes now = view.readAttributes();
        if (!now.group().equals(before.group())) {
            view.setGroup(before.group());
        }
        view.setPermissions(before.permissions());
        if (!now.owner().equals(before.owner())) {
            view.setOwner(before.owner());
        }
    }

    /** Gives the claim up. A file that has taken the place has no claim left: that name may be another process's by now. */
    @Override
    public void close() throws IOException {
        if (!taken) {
            Files.deleteIfExists(fresh);
        }
    }
}
