package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.RunningChecksum;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Whether a file has the bytes of a content where they belong, since a restart took effect of which nobody was told. */
final class RestartCheck {
    private static final ChecksumAlgorithm ALGORITHM = ChecksumAlgorithm.MD5;
    private static final int BUFFER_BYTES = 1024 * 1024;

    private final World world;
    private final Backend files;
    private final FilePath path;
    private final Content content;

    /**
     * Takes what is to be compared.
     *
     * @param content all of what the restart brings
     */
    RestartCheck(World world, Backend files, FilePath path, Content content) {
        this.world = world;
        this.files = files;
        this.path = path;
        this.content = content;
    }

    /** Returns the file if it is what the content makes of one that was there before; nothing if it is another. */
    CompletableFuture<Optional<Entry>> over(Entry before) {
        ByteRanges brought = content.covered();
        if (brought.list().isEmpty()) {
            // nothing to compare: any file of the length would do
            return CompletableFuture.completedFuture(Optional.empty());
        }
        long length = Math.max(before.length(), brought.end());
        return files.stat(path).thenCompose(file -> {
            CompletableFuture<Boolean> same = CompletableFuture.completedFuture(file.length() == length);
            for (ByteRange range : brought.list()) {
                same = same.thenCompose(yet -> yet ? isThere(range) : CompletableFuture.completedFuture(false));
            }
            return same.thenApply(all -> all ? Optional.of(file) : Optional.empty());
        });
    }

    private CompletableFuture<Boolean> isThere(ByteRange range) {
        return world.onDisk(world.disk(), () -> sum(range))
                .thenCompose(expected ->
                        files.checksum(path, ALGORITHM, range, done -> {}).thenApply(expected::equalsIgnoreCase));
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
