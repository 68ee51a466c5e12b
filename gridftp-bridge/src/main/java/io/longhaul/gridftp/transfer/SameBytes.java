package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.RunningChecksum;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Compares what a content has with a file of which others compute checksums.
 *
 * @param content with the bytes that are compared
 */
record SameBytes(World world, Content content) {
    static final ChecksumAlgorithm ALGORITHM = ChecksumAlgorithm.MD5;
    private static final int BUFFER_BYTES = 1024 * 1024;

    /**
     * Returns whether the file has the same bytes in these ranges.
     *
     * @param sums gives the checksum of a range of the file
     */
    CompletableFuture<Boolean> in(ByteRanges ranges, Function<ByteRange, CompletableFuture<String>> sums) {
        CompletableFuture<Boolean> same = CompletableFuture.completedFuture(true);
        for (ByteRange range : ranges.list()) {
            same = same.thenCompose(yet -> yet ? isThere(range, sums) : CompletableFuture.completedFuture(false));
        }
        return same;
    }

    private CompletableFuture<Boolean> isThere(ByteRange range, Function<ByteRange, CompletableFuture<String>> sums) {
        return world.onDisk(world.disk(), () -> sum(range))
                .thenCompose(expected -> sums.apply(range).thenApply(expected::equalsIgnoreCase));
    }

    private String sum(ByteRange range) {
        RunningChecksum sum = RunningChecksum.of(ALGORITHM);
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        for (long at = range.start(); at < range.end(); at += buffer.limit()) {
            buffer.clear().limit((int) Math.min(BUFFER_BYTES, range.end() - at));
            content.read(at, buffer);
            sum.update(buffer.flip());
        }
        return sum.result();
    }
}
