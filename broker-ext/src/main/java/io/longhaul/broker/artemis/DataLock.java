package io.longhaul.broker.artemis;

import io.longhaul.broker.file.Directories;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The claim of one process on a data directory; the kernel ends it with the process. */
final class DataLock implements AutoCloseable {
    private static final String FILE = "lock";
    private static final Pattern HOLDER = Pattern.compile("(?:process )?(\\d+)");
    private static final int LONGEST_HOLDER = 64;
    private final Path data;
    private final FileChannel channel;
    private final Object identity; // of its file

    private DataLock(Path data, FileChannel channel, Object identity) {
        this.data = data;
        this.channel = channel;
        this.identity = identity;
    }

    /** Makes the directory when missing and claims it; the claim's file names the process for whoever comes second. */
    static DataLock claim(Path data) throws ServerException {
        FileChannel channel = null;
        try {
            Directories.make(data);
            channel = FileChannel.open(
                    data.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (!tryLock(channel)) {
                String holder = holder(channel);
                channel.close();
                throw new ServerException(
                        ServerException.Kind.IN_USE,
                        "data " + data + ": expected a directory of its own, found it in use by " + holder);
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(("process " + ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8)), 0);
            return new DataLock(data, channel, identity(data));
        } catch (NoSuchFileException e) {
            throw new ServerException(
                    ServerException.Kind.BAD_CONFIG,
                    "data " + data
                            + ": expected a file system that takes directories and files, found one that does not"
                            + " take " + e.getFile(),
                    e);
        } catch (IOException e) {
            closeQuietly(channel, e);
            throw DataFailure.of(data, "cannot be made or locked", e);
        }
    }

    private static Object identity(Path data) throws IOException {
        return Objects.requireNonNull(Files.readAttributes(data.resolve(FILE), BasicFileAttributes.class)
                .fileKey());
    }

    /**
     * Throws when the directory was removed, moved or replaced since: what is written now is in files that nobody finds again. A
     * disk that gives no answer is no such sign.
     */
    void requireHeld() throws ServerException {
        String found = "another one";
        try {
            if (identity(data).equals(identity)) {
                return;
            }
        } catch (NoSuchFileException e) {
            found = "none";
        } catch (IOException e) {
            return;
        }
        throw new ServerException(
                ServerException.Kind.FAILED,
                "data " + data + ": expected the file " + FILE + " of this process, found " + found
                        + "; it was removed, moved or replaced while in use");
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /** A broker's lock has a word before the number, an agent's store has the bare number. */
    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(LONGEST_HOLDER);
        channel.read(text, 0);
        Matcher holder = HOLDER.matcher(new String(text.array(), 0, text.position(), StandardCharsets.UTF_8).trim());
        return holder.matches() ? "process " + holder.group(1) : "another process";
    }

    private static void closeQuietly(@Nullable FileChannel channel, IOException first) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                first.addSuppressed(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
