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
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/** Computes checksums of files. */
final class Checksums {
    private static final int BUFFER_BYTES = 1024 * 1024;

    private Checksums() {}

    /** Returns lower-case hexadecimal digits; an empty text when it was not wanted any more. */
    static String of(
            Path file, ChecksumAlgorithm algorithm, ByteRange range, LongConsumer progress, BooleanSupplier unwanted)
            throws IOException {
        RunningChecksum summing = RunningChecksum.of(algorithm);
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        long at = range.start();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            while (at < range.end()) {
                if (unwanted.getAsBoolean()) {
                    return "";
                }
                buffer.clear().limit((int) Math.min(BUFFER_BYTES, range.end() - at));
                int read = channel.read(buffer, at);
                if (read < 0) {
                    break;
                }
                at += read;
                summing.update(buffer.flip());
                progress.accept(at - range.start());
            }
        }
        return summing.result();
    }
}
