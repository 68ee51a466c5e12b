package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.content.Content;
import io.longhaul.gridftp.content.SummedRanges;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Brings the bytes of a content to a sink as they come, and knows the sum of what it brought.
 *
 * <p>Bytes go in ascending order, whatever the order in which they come: a server that is sent a file as a stream can take them in
 * no other. What is behind a hole goes when the content is complete, and so does all of it when nobody knows where it begins.
 *
 * <p>Belongs to the thread of its {@link World}. One block is read at a time, so that blocks reach the sink in order; a few of
 * them may be on their way.
 */
final class Feed {
    private static final int BLOCK_BYTES = 1024 * 1024;
    private static final int MOST_WRITES = 4;
    private static final long FORCED_BYTES = 256L * 1024 * 1024;

    private final World world;
    private final Content content;
    private final Sink sink;
    private final boolean isWholeFile; // has all bytes from 0 on
    private final OptionalLong origin;
    private final Listener listener;
    private final long forcedBytes;
    private final ByteRanges given; // to the sink, or being read for it
    private final SummedRanges taken; // by the sink
    private SummedRanges forced; // by the sink
    private long unforced;
    private boolean reading;
    private int writing;
    private boolean forcing;
    private boolean ended;

    /** Hears how it goes, on the thread of the {@link World}. */
    interface Listener {
        /** The sink has taken more or forced it, and maybe all that is there. */
        void taken();

        /** It cannot go on with this sink. */
        void failed(BackendException failure);
    }

    /**
     * Takes a sink that has some bytes already.
     *
     * @param request what the content is to become
     */
    Feed(World world, Content content, Sink sink, WriteRequest request, SummedRanges there, Listener listener) {
        this(world, content, sink, request, there, listener, FORCED_BYTES);
    }

    /** Takes after how many bytes the sink is to force them. */
    Feed(
            World world,
            Content content,
            Sink sink,
            WriteRequest request,
            SummedRanges there,
            Listener listener,
            long forcedBytes) {
        this.world = world;
        this.content = content;
        this.sink = sink;
        this.isWholeFile = request.kind() == Kind.REPLACE;
        this.origin = request.origin();
        this.listener = listener;
        this.forcedBytes = forcedBytes;
        this.taken = there.copy();
        this.forced = there.copy();
        this.given = new ByteRanges();
        given.add(0, there.end());
    }

    Sink sink() {
        return sink;
    }

    SummedRanges taken() {
        return taken;
    }

    /** Returns what another sink of the same file need not be given again. */
    SummedRanges forced() {
        return forced;
    }

    boolean isQuiet() {
        return !reading && writing == 0 && !forcing;
    }

    /** Returns the first byte behind all that was given. */
    long givenEnd() {
        return given.end();
    }

    /** Nothing more is given to the sink, and nothing is heard of it. */
    void end() {
        ended = true;
    }

    void pump() {
        if (ended || reading || writing >= MOST_WRITES) {
            return;
        }
        Optional<ByteRange> next = next();
        if (next.isEmpty()) {
            return;
        }
        ByteRange range = next.get();
        given.add(range.start(), range.end());
        reading = true;
        world.onDisk(world.disk(), () -> read(range))
                .whenComplete((block, failure) -> world.execute(() -> read(block, failure)));
    }

    private Optional<ByteRange> next() {
        Optional<ByteRange> next =
                origin.isPresent() ? at(Math.max(origin.getAsLong(), given.end())) : Optional.empty();
        return next.isEmpty() && !isWholeFile && content.isComplete() ? lowest() : next;
    }

    private Optional<ByteRange> at(long start) {
        return content.coveredWithin(new ByteRange(start, start + BLOCK_BYTES)).stream()
                .findFirst()
                .filter(range -> range.start() == start);
    }

    private Optional<ByteRange> lowest() {
        return content.covered().list().stream()
                .flatMap(range -> given.missing(range).stream())
                .map(range -> new ByteRange(range.start(), Math.min(range.end(), range.start() + BLOCK_BYTES)))
                .findFirst();
    }

    /** Bytes that were read, and their sum. */
    private record Read(ByteRange range, ByteBuf bytes, SummedRanges summed) {}

    private Read read(ByteRange range) {
        int length = (int) range.length();
        ByteBuf bytes = PooledByteBufAllocator.DEFAULT.directBuffer(length, length);
        try {
            ByteBuffer view = bytes.nioBuffer(0, length);
            content.read(range.start(), view);
            SummedRanges summed = new SummedRanges();
            summed.add(range.start(), view.flip());
            return new Read(range, bytes.writerIndex(length), summed);
        } catch (RuntimeException e) {
            bytes.release();
            throw e;
        }
    }

    private void read(@Nullable Read read, @Nullable Throwable failure) {
        reading = false;
        if (read == null || ended) {
            if (read != null) {
                read.bytes.release();
            } else if (!ended && failure != null) {
                fail(failure);
            }
            return;
        }
        writing++;
        sink.write(read.range.start(), read.bytes)
                .whenComplete((done, failed) -> world.execute(() -> written(read, failed)));
        pump();
    }

    private void written(Read read, @Nullable Throwable failure) {
        writing--;
        if (ended) {
            return;
        }
        if (failure != null) {
            fail(failure);
            return;
        }
        taken.addAll(read.summed);
        unforced += read.range.length();
        forceNowAndThen();
        listener.taken();
        pump();
    }

    /** So that not everything must be written again when the server goes away. */
    private void forceNowAndThen() {
        if (isWholeFile && unforced >= forcedBytes && !forcing) {
            forcing = true;
            unforced = 0;
            SummedRanges before = taken.copy();
            sink.force()
                    .whenComplete((done, failure) -> world.execute(() -> {
                        forcing = false;
                        if (ended) {
                            return;
                        }
                        if (failure == null) {
                            forced = before;
                            // it is quiet now: this may have been the last that the end waited for
                            listener.taken();
                        } else {
                            fail(failure);
                        }
                    }));
        }
    }

    private void fail(Throwable failure) {
        ended = true;
        listener.failed(World.failure(failure));
    }

    /** Returns the ranges that a sink has that has been given these. */
    static List<ByteRange> ranges(SummedRanges there) {
        return there.end() == 0 ? List.of() : List.of(new ByteRange(0, there.end()));
    }
}
