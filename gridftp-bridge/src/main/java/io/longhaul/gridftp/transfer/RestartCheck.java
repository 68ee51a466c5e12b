package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Whether a file has the bytes of a content where they belong, since a restart took effect of which nobody was told. */
final class RestartCheck {
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
            if (file.length() != length) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            return new SameBytes(world, content)
                    .in(brought, range -> files.checksum(path, SameBytes.ALGORITHM, range, done -> {}))
                    .thenApply(isSame -> isSame ? Optional.of(file) : Optional.empty());
        });
    }
}
