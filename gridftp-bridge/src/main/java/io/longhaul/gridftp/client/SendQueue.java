package io.longhaul.gridftp.client;

import io.longhaul.gridftp.range.ByteRange;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What is sent next: bytes, and zeros in place of bytes that never came. Event loop only. */
final class SendQueue {
    private static final int ZEROS = 1024 * 1024;
    private static final ByteBuf NOTHING_BUT_ZEROS =
            Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(new byte[ZEROS]));

    private final Deque<Part> parts = new ArrayDeque<>();

    private record Part(ByteRange range, Optional<Taken> taken) {}

    void add(Taken bytes) {
        parts.add(new Part(new ByteRange(bytes.position(), bytes.end()), Optional.of(bytes)));
    }

    void addZeros(ByteRange hole) {
        parts.add(new Part(hole, Optional.empty()));
    }

    boolean isEmpty() {
        return parts.isEmpty();
    }

    /** Returns and forgets the next bytes; of a long hole only a part. */
    Optional<Taken> next() {
        Part next = parts.poll();
        return next == null ? Optional.empty() : Optional.of(next.taken().orElseGet(() -> zeros(next.range())));
    }

    private Taken zeros(ByteRange hole) {
        long end = Math.min(hole.end(), hole.start() + ZEROS);
        if (end < hole.end()) {
            parts.addFirst(new Part(new ByteRange(end, hole.end()), Optional.empty()));
        }
        ByteBuf zeros = NOTHING_BUT_ZEROS.duplicate().writerIndex((int) (end - hole.start()));
        return new Taken(hole.start(), zeros, new CompletableFuture<>());
    }

    /** Returns and forgets the bytes, not the zeros. */
    List<Taken> drain() {
        List<Taken> left = new ArrayList<>();
        parts.forEach(part -> part.taken().ifPresent(left::add));
        parts.clear();
        return left;
    }
}
