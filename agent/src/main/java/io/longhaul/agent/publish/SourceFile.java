package io.longhaul.agent.publish;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** An open regular file that must stay as it was first seen; not for several threads. */
final class SourceFile implements AutoCloseable {
    private static final Set<OpenOption> OPTIONS = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

    private final Path path;
    private final SourceStat seen;
    private final FileChannel channel;

    private SourceFile(Path path, SourceStat seen, FileChannel channel) {
        this.path = path;
        this.seen = seen;
        this.channel = channel;
    }

    /** Opens the file that was seen so. */
    static SourceFile open(Path path, SourceStat seen) {
        try {
            return new SourceFile(path, seen, FileChannel.open(path, OPTIONS));
        } catch (IOException e) {
            throw SourceStat.unreadable(path, e);
        }
    }

    /** Fills the buffer from the position; throws {@link SourceException} when the file ends first. */
    void read(ByteBuffer into, long position) {
        try {
            long at = position;
            while (into.hasRemaining()) {
                int count = channel.read(into, at);
                if (count < 0) {
                    throw new SourceException(
                            "source " + SourceNames.shown(path) + " changed while it was read: expected "
                                    + seen.identity().length() + " bytes, found " + at);
                }
                at += count;
            }
        } catch (IOException e) {
            throw SourceStat.unreadable(path, e);
        }
    }

    /**
     * Throws {@link SourceException} when there are bytes beyond the length that was seen, though the file is as it was: what a
     * kernel makes as it is read, as below {@code /proc}, tells any length.
     */
    void requireEnd() {
        try {
            if (channel.read(ByteBuffer.allocate(1), seen.identity().length()) > 0) {
                requireUnchanged();
                throw new SourceException("source " + SourceNames.shown(path) + ": expected "
                        + seen.identity().length() + " bytes, as its file system says, found more;"
                        + " publish it as a stream");
            }
        } catch (IOException e) {
            throw SourceStat.unreadable(path, e);
        }
    }

    /** Throws {@link SourceException} when the name no longer leads to the file as it was first seen. */
    void requireUnchanged() {
        requireUnchanged(path, seen);
    }

    static void requireUnchanged(Path path, SourceStat seen) {
        String difference = seen.changed(SourceStat.of(path));
        if (!difference.isEmpty()) {
            throw new SourceException(
                    "source " + SourceNames.shown(path) + " changed while it was read: " + difference);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw SourceStat.unreadable(path, e);
        }
    }
}
