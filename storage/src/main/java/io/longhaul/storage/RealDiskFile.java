package io.longhaul.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A file channel whose failures name the path and which outlives the interruption of a thread that uses it.
 *
 * <p>The JDK closes a channel under the feet of all its users when one of them is interrupted. Here the interrupted
 * thread finishes what it does, on a channel opened again to the same file, and keeps its interrupt.
 */
final class RealDiskFile implements DiskFile {
    private static final Set<OpenOption> READ_WRITE =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    private static final Set<OpenOption> CREATE = Set.of(
            StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    private static final Set<OpenOption> CREATE_NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

    private final Path path;
    private final Set<OpenOption> options;
    private final @Nullable Object identity;
    private final DirectWrites directWrites;
    // growing writes one zero at the end, which must not fall on a byte that another thread has just written there
    private final ReadWriteLock lengthLock = new ReentrantReadWriteLock();
    private volatile FileChannel channel;
    private volatile boolean closed;

    private RealDiskFile(Path path, Set<OpenOption> options, FileChannel channel) throws IOException {
        this.path = path;
        this.options = options;
        this.channel = channel;
        this.identity = DirectWrites.identity(path);
        this.directWrites =
                new DirectWrites(path, identity, file -> options == READ_WRITE && DirectDevices.allow(file));
    }

    static RealDiskFile open(Path path) throws IOException {
        return opened(path, READ_WRITE, FileChannel.open(path, CREATE));
    }

    static RealDiskFile create(Path path) throws IOException {
        return opened(path, READ_WRITE, FileChannel.open(path, CREATE_NEW));
    }

    static RealDiskFile openForReading(Path path) throws IOException {
        return opened(path, READ, FileChannel.open(path, READ));
    }

    private static RealDiskFile opened(Path path, Set<OpenOption> options, FileChannel channel) throws IOException {
        try {
            return new RealDiskFile(path, options, channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public void write(ByteBuffer bytes, long position) {
        write(bytes, position, false);
    }

    @Override
    public void writeDirect(ByteBuffer bytes, long position) {
        write(bytes, position, true);
    }

    private void write(ByteBuffer bytes, long position, boolean direct) {
        int needed = bytes.remaining();
        int start = bytes.position();
        lengthLock.readLock().lock();
        try {
            uninterrupted(open -> {
                if (direct) {
                    directWrites.write(bytes, position + bytes.position() - start);
                }
                while (bytes.hasRemaining()) {
                    open.write(bytes, position + bytes.position() - start);
                }
                return needed;
            });
        } catch (IOException e) {
            throw DiskFailure.of("write " + needed + " bytes at " + position + " to", path, needed, e);
        } finally {
            lengthLock.readLock().unlock();
        }
    }

    @Override
    public int read(ByteBuffer into, long position) {
        int start = into.position();
        try {
            uninterrupted(open -> {
                int count = 0;
                while (count >= 0 && into.hasRemaining()) {
                    count = open.read(into, position + into.position() - start);
                }
                return count;
            });
            return into.position() - start;
        } catch (IOException e) {
            throw DiskFailure.of("read at " + position + " from", path, 0, e);
        }
    }

    @Override
    public void force() {
        try {
            uninterrupted(open -> {
                open.force(true);
                return true;
            });
        } catch (IOException e) {
            throw DiskFailure.of("sync", path, 0, e);
        }
    }

    @Override
    public void setLength(long length) {
        lengthLock.writeLock().lock();
        try {
            uninterrupted(open -> {
                long now = open.size();
                if (length < now) {
                    open.truncate(length);
                } else if (length > now) {
                    open.write(ByteBuffer.allocate(1), length - 1);
                }
                return length;
            });
        } catch (IOException e) {
            throw DiskFailure.of("set length " + length + " of", path, length, e);
        } finally {
            lengthLock.writeLock().unlock();
        }
    }

    @Override
    public long length() {
        try {
            return uninterrupted(FileChannel::size);
        } catch (IOException e) {
            throw DiskFailure.of("read length of", path, 0, e);
        }
    }

    @Override
    public void close() {
        closed = true;
        directWrites.close();
        try {
            channel.close();
        } catch (IOException e) {
            throw DiskFailure.of("close", path, 0, e);
        }
    }

    private interface Operation<T> {
        T on(FileChannel open) throws IOException;
    }

    private <T> T uninterrupted(Operation<T> operation) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                FileChannel open = channel;
                try {
                    return operation.on(open);
                } catch (ClosedChannelException e) {
                    if (closed) {
                        throw e;
                    }
                    interrupted |= Thread.interrupted();
                    reopen(open);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized void reopen(FileChannel lost) throws IOException {
        if (channel != lost || closed) {
            return;
        }
        FileChannel again = FileChannel.open(path, options);
        boolean same = false;
        try {
            same = Objects.equals(identity, DirectWrites.identity(path));
        } finally {
            if (!same) {
                again.close();
            }
        }
        if (!same) {
            throw new IOException("an interrupt closed the file, and its name means another file now");
        }
        channel = again;
    }
}
