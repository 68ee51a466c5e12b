package io.longhaul.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The claim of one process on a store's directory; ends with the process, however that ends.
 *
 * <p>Design note: the directories that this process holds are remembered, because the system drops a process's lock on
 * a file as soon as the process closes any other descriptor of it, so a second opener here must not even look.
 */
final class DirectoryLock implements AutoCloseable {
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();
    private static final int PID_LENGTH = 20;

    private final Path directory;
    private final FileChannel channel;

    private DirectoryLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /** Takes the lock, or throws {@link StorageException.Code#IN_USE} naming the process that has it. */
    static DirectoryLock take(Path directory) {
        if (!HELD_HERE.add(directory)) {
            throw inUse(directory, Long.toString(ProcessHandle.current().pid()));
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(
                    directory.resolve("lock"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw inUse(directory, readPid(channel));
            }
            writePid(channel);
            return new DirectoryLock(directory, channel);
        } catch (IOException e) {
            release(directory, channel);
            throw DiskFailure.of("lock", directory.resolve("lock"), PID_LENGTH, e);
        } catch (StorageException e) {
            release(directory, channel);
            throw e;
        }
    }

    private static StorageException inUse(Path directory, String pid) {
        return new StorageException(
                StorageException.Code.IN_USE, "store " + directory + " is in use by process " + pid);
    }

    private static String readPid(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(PID_LENGTH);
        channel.read(bytes, 0);
        String pid = new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII).trim();
        return pid.isEmpty() ? "(unknown)" : pid;
    }

    private static void writePid(FileChannel channel) throws IOException {
        String pid = ProcessHandle.current().pid() + "\n";
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
    }

    private static void release(Path directory, @Nullable FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            throw DiskFailure.of("close", directory.resolve("lock"), 0, e);
        } finally {
            HELD_HERE.remove(directory);
        }
    }

    @Override
    public void close() {
        release(directory, channel);
    }
}
