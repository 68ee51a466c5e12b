package io.longhaul.gridftp.spi;

import io.longhaul.gridftp.range.ByteRange;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/**
 * Files behind a door, as one user sees them. Thread-safe; see the package for threads and failures.
 *
 * <p>Implementations pass {@code BackendContract}.
 */
public interface Backend extends AutoCloseable {
    /** Looks at one file or directory, through links. */
    CompletableFuture<Entry> stat(FilePath path);

    /**
     * Returns where a path leads through links; of a name that is not there, where its directory is. The path itself where
     * nobody can say.
     */
    default CompletableFuture<FilePath> real(FilePath path) {
        return CompletableFuture.completedFuture(path);
    }

    /** Looks at what is in a directory; in no order. */
    CompletableFuture<List<Entry>> list(FilePath path);

    /** Looks at a directory and at what is in it; where that is far away, by one question. */
    default CompletableFuture<Directory> directory(FilePath path) {
        return stat(path).thenCompose(self -> {
            if (!self.isDirectory()) {
                throw new BackendException(BackendException.Code.NOT_A_DIRECTORY, path + ": Not a directory");
            }
            return list(path).thenApply(entries -> new Directory(self, entries));
        });
    }

    /** Makes one directory in one that is there. */
    CompletableFuture<Void> makeDirectory(FilePath path);

    /** Removes a directory that is empty. */
    CompletableFuture<Void> removeDirectory(FilePath path);

    /** Removes a file, or a link and not what it points to. */
    CompletableFuture<Void> deleteFile(FilePath path);

    /** Gives something another name at once; a file in its place is replaced, a directory is not. */
    CompletableFuture<Void> rename(FilePath from, FilePath to);

    /** Sets when its bytes were changed last. */
    CompletableFuture<Void> setModified(FilePath path, Instant time);

    /**
     * Sets who may do what; {@link BackendException.Code#UNSUPPORTED} where nobody can say so.
     *
     * @param mode the nine permission bits of Unix
     */
    default CompletableFuture<Void> setMode(FilePath path, int mode) {
        return CompletableFuture.failedFuture(
                new BackendException(BackendException.Code.UNSUPPORTED, path + ": modes cannot be set here"));
    }

    /**
     * Computes a checksum, in lower-case hexadecimal digits.
     *
     * @param range what of the file; an end beyond the file's means its end
     * @param progress told now and then how many bytes are done, on any thread; must not block. When it throws a {@link
     *     CancellationException} nobody wants the checksum any more, and the work ends
     */
    CompletableFuture<String> checksum(
            FilePath path, ChecksumAlgorithm algorithm, ByteRange range, LongConsumer progress);

    /**
     * Opens a file to read.
     *
     * @param ranges ascending and disjoint; ends beyond the file's mean its end
     */
    CompletableFuture<Source> read(FilePath path, List<ByteRange> ranges);

    /**
     * As {@link #read(FilePath, List)}, for who has just looked at the file and looks again when it has read it.
     *
     * @param known what was found
     */
    default CompletableFuture<Source> read(FilePath path, Entry known, List<ByteRange> ranges) {
        return read(path, ranges);
    }

    /**
     * Removes what the sink of a process that was killed has left; does nothing when it is not there any more.
     *
     * @param temporary what {@link Sink#temporary} returned
     */
    default CompletableFuture<Void> discard(String temporary) {
        return CompletableFuture.completedFuture(null);
    }

    /** Begins to write. */
    CompletableFuture<Sink> write(WriteRequest request);

    /** Ends what is open and removes what is kept for resuming. */
    @Override
    void close();
}
