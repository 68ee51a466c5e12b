package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.Block;
import io.longhaul.gridftp.spi.Source;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Gives a client the ranges that it wants of a file that is coming, and has what comes next pulled ahead.
 *
 * <p>Called by any thread; its state belongs to the thread of the download's {@link World}.
 */
final class RemoteSource implements Source {
    /** What Globus servers send; large enough to be cheap, small enough for old clients. */
    private static final int BLOCK_BYTES = 256 * 1024;

    private static final long AHEAD_BYTES = 64L * 1024 * 1024;
    private static final long STEP_BYTES = 4L * 1024 * 1024;

    private final Download download;
    private final Deque<ByteRange> left; // not asked for by the client
    private final Deque<ByteRange> unwanted; // not asked for at the back
    private final Deque<Asked> asked = new ArrayDeque<>();
    private long ahead; // bytes asked for at the back, and not by the client
    private boolean closed;

    private record Asked(ByteRange range, CompletableFuture<Optional<Block>> block) {}

    RemoteSource(Download download, List<ByteRange> ranges) {
        this.download = download;
        this.left = new ArrayDeque<>(ranges);
        this.unwanted = new ArrayDeque<>(ranges);
    }

    void begin() {
        wantAhead();
    }

    private void wantAhead() {
        while (ahead <= AHEAD_BYTES - STEP_BYTES && !unwanted.isEmpty()) {
            ByteRange range = unwanted.remove();
            long end = Math.min(range.end(), range.start() + STEP_BYTES);
            if (end < range.end()) {
                unwanted.addFirst(new ByteRange(end, range.end()));
            }
            ahead += end - range.start();
            download.want(new ByteRange(range.start(), end));
        }
    }

    @Override
    public CompletableFuture<Optional<Block>> next() {
        CompletableFuture<Optional<Block>> block = new CompletableFuture<>();
        download.world().execute(() -> ask(block));
        return block;
    }

    private void ask(CompletableFuture<Optional<Block>> block) {
        if (closed || left.isEmpty()) {
            block.complete(Optional.empty());
            return;
        }
        ByteRange range = left.remove();
        long end = Math.min(range.end(), range.start() + BLOCK_BYTES);
        if (end < range.end()) {
            left.addFirst(new ByteRange(end, range.end()));
        }
        ahead -= end - range.start();
        asked.add(new Asked(new ByteRange(range.start(), end), block));
        wantAhead();
        serve();
    }

    boolean isWaiting() {
        return !asked.isEmpty();
    }

    /** Returns what the client has not been given. */
    List<ByteRange> left() {
        List<ByteRange> all = new ArrayList<>();
        asked.forEach(each -> all.add(each.range));
        all.addAll(left);
        return all;
    }

    /** Gives what is there. */
    void serve() {
        BackendException failure = download.failure();
        for (Asked each : List.copyOf(asked)) {
            if (closed) {
                asked.remove(each);
                each.block.complete(Optional.empty());
            } else if (download.content().contains(each.range)) {
                asked.remove(each);
                read(each);
            } else if (failure != null) {
                asked.remove(each);
                each.block.completeExceptionally(
                        new BackendException(failure.code(), String.valueOf(failure.getMessage()), failure));
            }
        }
    }

    private void read(Asked each) {
        download.world()
                .onDisk(download.world().disk(), () -> block(each.range))
                .whenComplete((block, failure) -> {
                    if (failure != null) {
                        each.block.completeExceptionally(World.failure(failure));
                    } else if (!each.block.complete(Optional.of(block))) {
                        block.bytes().release();
                    }
                });
    }

    private Block block(ByteRange range) {
        int length = (int) range.length();
        ByteBuf bytes = PooledByteBufAllocator.DEFAULT.directBuffer(length, length);
        try {
            download.content().read(range.start(), bytes.nioBuffer(0, length));
            return new Block(range.start(), bytes.writerIndex(length));
        } catch (RuntimeException e) {
            bytes.release();
            throw e;
        }
    }

    @Override
    public void close() {
        download.world().execute(() -> {
            if (!closed) {
                closed = true;
                serve();
                download.forget(this);
            }
        });
    }
}
