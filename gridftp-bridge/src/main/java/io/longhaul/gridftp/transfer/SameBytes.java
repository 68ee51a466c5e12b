package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.RunningChecksum;
import java.nio.ByteBuffer;
import java.util.concurrent.CancellationException;
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
    private static final int PIECE_BYTES = 16 * BUFFER_BYTES;

    /**
     * Returns whether the file has the same bytes in these ranges. Whoever completes it stops the work.
     *
     * @param sums gives the checksum of a range of the file
     */
    CompletableFuture<Boolean> in(ByteRanges ranges, Function<ByteRange, CompletableFuture<String>> sums) {
        CompletableFuture<Boolean> known = new CompletableFuture<>();
        CompletableFuture<Boolean> same = CompletableFuture.completedFuture(true);
        for (ByteRange range : ranges.list()) {
            same = same.thenCompose(
                    yet -> yet ? isThere(range, sums, known) : CompletableFuture.completedFuture(false));
        }
        same.whenComplete((is, failure) -> {
            if (failure == null) {
                known.complete(is);
            } else {
                known.completeExceptionally(failure);
            }
        });
        return known;
    }

    /** Others go first: where they have no checksum, nothing is read here. */
    private CompletableFuture<Boolean> isThere(
            ByteRange range, Function<ByteRange, CompletableFuture<String>> sums, CompletableFuture<Boolean> known) {
        return sums.apply(range)
                .thenCompose(theirs ->
                        sum(RunningChecksum.of(ALGORITHM), range, known).thenApply(theirs::equalsIgnoreCase));
    }

    /** Adds piece after piece, each a task of its own: the threads of the disk are few, and clients' writes wait for them. */
    private CompletableFuture<String> sum(RunningChecksum sum, ByteRange left, CompletableFuture<Boolean> known) {
        if (known.isDone()) {
            return CompletableFuture.failedFuture(new CancellationException("nobody waits for the comparison"));
        }
        if (left.isEmpty()) {
            return CompletableFuture.completedFuture(sum.result());
        }
        ByteRange piece = new ByteRange(left.start(), Math.min(left.end(), left.start() + PIECE_BYTES));
        return world.onDisk(world.disk(), () -> add(sum, piece))
                .thenCompose(so -> sum(so, new ByteRange(piece.end(), left.end()), known));
    }

    private RunningChecksum add(RunningChecksum sum, ByteRange piece) {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        for (long at = piece.start(); at < piece.end(); at += buffer.limit()) {
            buffer.clear().limit((int) Math.min(BUFFER_BYTES, piece.end() - at));
            content.read(at, buffer);
            sum.update(buffer.flip());
        }
        return sum;
    }
}
