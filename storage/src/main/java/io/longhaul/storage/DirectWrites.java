package io.longhaul.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes to one file past the page cache (O_DIRECT, open(2)), as far as that is possible: the first pages of a new file in the
 * cache cost more than all else that a receiver does with them, and a copy is saved.
 *
 * <p>What is not written here is for the caller to write through the cache: everything short or not aligned, and everything
 * from the first failure on. Kernels keep the two ways apart by whole pages, so nothing smaller than the largest page is
 * written here. Durable is what was forced, through either way.
 *
 * <p>Thread-safe. Nothing here fails: what goes wrong does so again through the cache, which tells it.
 */
public final class DirectWrites implements AutoCloseable {
    /** The largest page of the kernels that Java runs on. */
    static final int ALIGNMENT = 64 * 1024;
    /** Below this, waiting for the device costs more than the copy. */
    public static final int LEAST_BYTES = 256 * 1024;

    /** The JDK's own option, found by its name: newer compilers warn of what names its class. */
    private static final Optional<OpenOption> DIRECT = direct();

    private final Path path;
    private final @Nullable Object identity;
    private final Predicate<Path> allowed;
    private volatile @Nullable FileChannel channel;
    private volatile boolean refused;

    DirectWrites(Path path, @Nullable Object identity, Predicate<Path> allowed) {
        this.path = path;
        this.identity = identity;
        this.allowed = allowed;
    }

    /** Returns those to a file that is there, on devices where they are known to do well, and none elsewhere. */
    public static DirectWrites to(Path path) {
        try {
            return new DirectWrites(path, identity(path), DirectDevices::allow);
        } catch (IOException e) {
            return new DirectWrites(path, null, file -> false);
        }
    }

    /** Writes as many of the remaining bytes as it can, from the first on, and leaves the rest in the buffer. */
    public void write(ByteBuffer bytes, long position) {
        if (refused || bytes.remaining() < LEAST_BYTES || position % ALIGNMENT != 0) {
            return;
        }
        FileChannel open = open();
        if (open == null) {
            return;
        }
        ByteBuffer aligned = AlignedBuffers.take();
        if (aligned == null) {
            return;
        }
        int end = bytes.limit() - bytes.remaining() % ALIGNMENT;
        long origin = position - bytes.position();
        try {
            while (bytes.position() < end) {
                int length = Math.min(end - bytes.position(), AlignedBuffers.BYTES);
                aligned.clear().put(bytes.slice(bytes.position(), length)).flip();
                bytes.position(bytes.position() + open.write(aligned, origin + bytes.position()));
            }
        } catch (ClosedChannelException e) {
            forget(open); // somebody was interrupted; the next write opens it again
        } catch (IOException e) {
            refused = true; // the same failure through the cache is the one to be told
            close();
        } finally {
            AlignedBuffers.giveBack(aligned);
        }
    }

    private @Nullable FileChannel open() {
        FileChannel known = channel;
        return known != null ? known : openFirst();
    }

    private synchronized @Nullable FileChannel openFirst() {
        if (channel == null && !refused) {
            channel = allowed.test(path) ? tryToOpen() : null;
            refused = channel == null;
        }
        return channel;
    }

    private static Optional<OpenOption> direct() {
        try {
            return Stream.of(
                            Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants())
                    .filter(option -> option.toString().equals("DIRECT"))
                    .map(OpenOption.class::cast)
                    .findFirst();
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    private @Nullable FileChannel tryToOpen() {
        if (DIRECT.isEmpty()) {
            return null;
        }
        FileChannel open = null;
        try {
            open = FileChannel.open(path, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS, DIRECT.get());
            if (Objects.equals(identity, identity(path))) {
                return open;
            }
        } catch (IOException | UnsupportedOperationException e) {
            // then all goes through the cache, whose failures are told
        }
        closeQuietly(open);
        return null;
    }

    /** Returns what tells a file from all others on this machine, or null where the system knows nothing of the kind. */
    static @Nullable Object identity(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    private synchronized void forget(FileChannel lost) {
        if (channel == lost) {
            channel = null;
        }
    }

    @Override
    public synchronized void close() {
        refused = true;
        FileChannel open = channel;
        channel = null;
        closeQuietly(open);
    }

    private static void closeQuietly(@Nullable FileChannel open) {
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // nothing is kept in it: what was written is known to be
            }
        }
    }
}
