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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The claim of one process on a data directory; ends with the process, however that ends.
 *
 * <p>Design note: the directories that this process holds are remembered, because the system drops a process's lock on
 * a file as soon as the process closes any other descriptor of it, so a second opener here must not even look.
 */
public final class DirectoryLock implements AutoCloseable {
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();
    private static final Pattern HOLDER = Pattern.compile("(?:process )?(\\d+)");
    private static final int LONGEST_HOLDER = 64;

    private final Path directory;
    private final FileChannel channel;
    private final HeldDirectory held;

    private DirectoryLock(Path directory, FileChannel channel, HeldDirectory held) {
        this.directory = directory;
        this.channel = channel;
        this.held = held;
    }

    /** Takes the lock, or throws {@link StorageException.Code#IN_USE} naming the process that has it. */
    public static DirectoryLock take(Path directory) {
        if (!HELD_HERE.add(directory)) {
            throw inUse(directory, "process " + ProcessHandle.current().pid());
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(
                    directory.resolve(HeldDirectory.LOCK),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw inUse(directory, holder(channel));
            }
            writePid(channel);
            return new DirectoryLock(directory, channel, HeldDirectory.of(directory));
        } catch (IOException e) {
            release(directory, channel);
            throw DiskFailure.of("lock", directory.resolve(HeldDirectory.LOCK), LONGEST_HOLDER, e);
        } catch (StorageException e) {
            release(directory, channel);
            throw e;
        }
    }

    /** Throws as {@link HeldDirectory#requireSame} does. */
    public void requireHeld() {
        held.requireSame();
    }

    private static StorageException inUse(Path directory, String holder) {
        return new StorageException(StorageException.Code.IN_USE, "store " + directory + " is in use by " + holder);
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(LONGEST_HOLDER);
        channel.read(bytes, 0);
        return holder(new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII));
    }

    /** Says whose a lock is by what is in its file: a store's has the bare number, a broker's a word before it. */
    static String holder(String written) {
        Matcher holder = HOLDER.matcher(written.trim());
        return holder.matches() ? "process " + holder.group(1) : "another process";
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
            throw DiskFailure.of("close", directory.resolve(HeldDirectory.LOCK), 0, e);
        } finally {
            HELD_HERE.remove(directory);
        }
    }

    @Override
    public void close() {
        release(directory, channel);
    }
}
