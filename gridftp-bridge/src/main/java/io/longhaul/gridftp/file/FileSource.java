package io.longhaul.gridftp.file;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.Block;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Source;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Reads ranges of a file, a block at a time, on the disk's threads. */
final class FileSource implements Source {
    /** What Globus servers send; large enough to be cheap, small enough for old clients. */
    private static final int BLOCK_BYTES = 256 * 1024;

    private final FilePath path;
    private final Path file;
    private final Optional<FileVersion> version;
    private final FileChannel channel;
    private final Executor disk;
    private final Deque<ByteRange> left; // guarded by this
    private int reading; // guarded by this
    private boolean closed; // guarded by this

    private FileSource(
            FilePath path,
            Path file,
            Optional<FileVersion> version,
            FileChannel channel,
            List<ByteRange> ranges,
            Executor disk) {
        this.path = path;
        this.file = file;
        this.version = version;
        this.channel = channel;
        this.disk = disk;
        this.left = new ArrayDeque<>(ranges);
    }

    /** Opens a file, which is no link, for as much of the ranges as there is now. */
    static FileSource open(FilePath path, Path file, List<ByteRange> ranges, Executor disk) throws IOException {
        Optional<FileVersion> version = FileVersion.of(file);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        long size = channel.size();
        List<ByteRange> there = ranges.stream()
                .filter(range -> range.start() < size)
                .map(range -> new ByteRange(range.start(), Math.min(size, range.end())))
                .toList();
        return new FileSource(path, file, version, channel, there, disk);
    }

    @Override
    public CompletableFuture<Optional<Block>> next() {
        Optional<ByteRange> range = taken();
        if (range.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        boolean isLast = isAllTaken();
        CompletableFuture<Optional<Block>> block =
                CompletableFuture.supplyAsync(() -> Optional.of(read(range.get(), isLast)), disk);
        block.whenComplete((done, failure) -> {
            synchronized (this) {
                reading--;
                closeWhenUnused();
            }
        });
        return block;
    }

    private synchronized Optional<ByteRange> taken() {
        ByteRange range = left.pollFirst();
        while (range != null && range.isEmpty()) {
            range = left.pollFirst();
        }
        if (range == null || closed) {
            return Optional.empty();
        }
        long end = Math.min(range.end(), range.start() + BLOCK_BYTES);
        left.addFirst(new ByteRange(end, range.end()));
        reading++;
        return Optional.of(new ByteRange(range.start(), end));
    }

    private synchronized boolean isAllTaken() {
        return left.stream().allMatch(ByteRange::isEmpty);
    }

    private Block read(ByteRange range, boolean isLast) {
        int length = (int) range.length();
        ByteBuf bytes = PooledByteBufAllocator.DEFAULT.directBuffer(length, length);
        try {
            while (bytes.isWritable()) {
                long at = range.start() + bytes.writerIndex();
                if (bytes.writeBytes(channel, at, bytes.writableBytes()) < 0) {
                    throw new BackendException(
                            BackendException.Code.FAILED,
                            path + ": expected bytes up to " + range.end() + ", found the end at " + at
                                    + ": it became shorter while it was read");
                }
            }
            if (isLast && isRewritten()) {
                throw new BackendException(BackendException.Code.FAILED, path + ": it was changed while it was read");
            }
            return new Block(range.start(), bytes);
        } catch (IOException e) {
            bytes.release();
            throw Failures.of(path, e);
        } catch (BackendException e) {
            bytes.release();
            throw e;
        }
    }

    /** A file that only grows is what it was as far as it was read, and one that was replaced is read to its end. */
    private boolean isRewritten() {
        return version.flatMap(before -> FileVersion.of(file)
                        .filter(now -> now.key().equals(before.key())
                                && now.length() <= before.length()
                                && !now.modified().equals(before.modified())))
                .isPresent();
    }

    @Override
    public synchronized void close() {
        closed = true;
        closeWhenUnused();
    }

    private synchronized void closeWhenUnused() {
        if (closed && reading == 0) {
            try {
                channel.close();
            } catch (IOException e) {
                // it was only read
            }
        }
    }
}
