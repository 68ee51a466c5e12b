package io.longhaul.gridftp.file;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.RunningChecksum;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongConsumer;

/** The checksum of a file, computed a piece at a time. One thread at a time. */
final class FileSum implements AutoCloseable {
    private static final int BUFFER_BYTES = 1024 * 1024;
    private static final int PIECE_BYTES = 16 * BUFFER_BYTES;

    private final FileChannel channel;
    private final RunningChecksum sum;
    private final ByteRange range;
    private final LongConsumer progress;
    private long at;

    private FileSum(FileChannel channel, RunningChecksum sum, ByteRange range, LongConsumer progress) {
        this.channel = channel;
        this.sum = sum;
        this.range = range;
        this.progress = progress;
        this.at = range.start();
    }

    /**
     * Opens a file, which is no link.
     *
     * @param range of which the checksum is, as far as there is a file
     */
    static FileSum open(Path file, ChecksumAlgorithm algorithm, ByteRange range, LongConsumer progress)
            throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        return new FileSum(channel, RunningChecksum.of(algorithm), range, progress);
    }

    /** Returns the checksum of a whole file, in lower-case hexadecimal digits. */
    static String of(Path file, ChecksumAlgorithm algorithm, LongConsumer progress) throws IOException {
        try (FileSum sum = open(file, algorithm, new ByteRange(0, Long.MAX_VALUE), progress)) {
            boolean isOver = false;
            while (!isOver) {
                isOver = sum.advance();
            }
            return sum.digits();
        }
    }

    /** Takes the next piece; returns whether that was all of the range. */
    boolean advance() throws IOException {
        long end = at + Math.min(PIECE_BYTES, range.end() - at);
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        while (at < end) {
            buffer.clear().limit((int) Math.min(BUFFER_BYTES, end - at));
            int read = channel.read(buffer, at);
            if (read < 0) {
                return true;
            }
            at += read;
            sum.update(buffer.flip());
            progress.accept(at - range.start());
        }
        return at >= range.end();
    }

    /** Returns lower-case hexadecimal digits; to be asked once, when it is whole. */
    String digits() {
        return sum.result();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // it was only read
        }
    }
}
