package io.longhaul.ptcp.session;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts the stream together again: bytes come with their position, in any order, some more than once, and leave in order.
 *
 * <p>Holds no more than the window: what the reader has not taken and what waits for a gap to be filled. Small stretches
 * that follow each other are gathered, and the gaps are limited, so that a crowd of tiny ones costs no more either. While
 * nobody knows who sends, it holds next to nothing: there may be thousands of such. Event loop only.
 */
final class Merger {
    private static final int SMALL_BYTES = 4 * 1024;
    private static final int GATHERED_BYTES = 64 * 1024;
    private static final int LEAST_STRETCHES = 1024;
    private static final int BYTES_PER_STRETCH = 512;

    /** A login fits in, and its answer is awaited before more is sent. */
    private static final int GUEST_BYTES = 64 * 1024;

    private final Window window;
    private final BooleanSupplier trusted;
    private final ArrayDeque<ByteBuf> ready = new ArrayDeque<>();
    private final TreeMap<Long, ByteBuf> held = new TreeMap<>();
    private long heldBytes;
    private long next;
    private long consumed;
    private long end = Long.MAX_VALUE; // of the stream, once it is known
    private boolean parked; // nobody reads

    /** Takes the window, and whether the user at the other end is known. */
    Merger(Window window, BooleanSupplier trusted) {
        this.window = window;
        this.trusted = trusted;
    }

    /** The stream has no bytes from this position on; throws {@link PtcpException} PROTOCOL when there are some. */
    void endAt(long position) {
        if (position < received()) {
            throw new PtcpException(
                    PtcpException.Code.PROTOCOL,
                    "a stream that ends at " + position + ", received up to " + received());
        }
        end = position;
    }

    private long received() {
        Map.Entry<Long, ByteBuf> last = held.lastEntry();
        return last == null ? next : last.getKey() + last.getValue().readableBytes();
    }

    /**
     * The other end will not use so much of its limits, in total; throws {@link PtcpException} PROTOCOL when that is more
     * than it had left. What it said before means nothing.
     */
    void givenBack(long total) {
        long more = total - window.givenBackBytes();
        if (more > limit() - received()) {
            throw new PtcpException(
                    PtcpException.Code.PROTOCOL,
                    "gives back " + more + " bytes, has " + (limit() - received()) + " left");
        }
        if (more > 0) {
            window.givenBack(total, consumed);
        }
    }

    /** Tells whether bytes that are in order wait here for longer than a moment. */
    void setParked(boolean value) {
        parked = value;
    }

    /**
     * Takes ownership of bytes; throws {@link PtcpException} PROTOCOL, and releases them, when they exceed the window or
     * the stream, or leave too many gaps.
     */
    void offer(long position, ByteBuf bytes) {
        try {
            check(position + bytes.readableBytes());
        } catch (PtcpException e) {
            bytes.release();
            throw e;
        }
        long from = Math.max(position, next);
        if (from > position) {
            bytes.skipBytes((int) Math.min(from - position, bytes.readableBytes()));
        }
        if (!bytes.isReadable()) {
            bytes.release();
        } else if (from == next) {
            take(bytes);
            fill();
        } else if (held.size() >= mostHeld()) {
            bytes.release();
            throw new PtcpException(
                    PtcpException.Code.PROTOCOL, "packets with more than " + mostHeld() + " gaps between");
        } else {
            hold(from, bytes);
            if (!parked) {
                progressed();
            }
        }
    }

    private void progressed() {
        window.progressed(consumed, next + heldBytes, trusted.getAsBoolean());
    }

    private void check(long to) {
        boolean known = trusted.getAsBoolean();
        long most = known ? limit() : consumed + Math.min(window.bytes(), GUEST_BYTES);
        if (to > most) {
            throw new PtcpException(
                    PtcpException.Code.PROTOCOL,
                    "a packet up to " + to + ", beyond the window at " + most
                            + (known ? "" : " of a session whose user is not known"));
        }
        if (to > end) {
            throw new PtcpException(
                    PtcpException.Code.PROTOCOL, "a packet up to " + to + " of a stream that ends at " + end);
        }
    }

    private long mostHeld() {
        return trusted.getAsBoolean()
                ? Math.max(LEAST_STRETCHES, window.bytes() / BYTES_PER_STRETCH)
                : GUEST_BYTES / BYTES_PER_STRETCH;
    }

    private void take(ByteBuf bytes) {
        int length = bytes.readableBytes();
        ByteBuf last = ready.peekLast();
        if (last == null || !gather(last, bytes)) {
            boolean passing = !parked && (last == null || length > SMALL_BYTES);
            ready.add(passing ? bytes : lean(bytes));
        }
        next += length; // only now: without memory they are not taken, and must come again
    }

    private void fill() {
        Map.Entry<Long, ByteBuf> first = held.firstEntry();
        while (first != null && first.getKey() <= next) {
            held.pollFirstEntry();
            ByteBuf bytes = first.getValue();
            heldBytes -= bytes.readableBytes();
            bytes.skipBytes((int) Math.min(next - first.getKey(), bytes.readableBytes()));
            if (bytes.isReadable()) {
                take(bytes);
            } else {
                bytes.release();
            }
            first = held.firstEntry();
        }
    }

    /** Keeps only what no held stretch covers. */
    private void hold(long position, ByteBuf bytes) {
        long at = position;
        Map.Entry<Long, ByteBuf> before = held.floorEntry(at);
        if (before != null) {
            long covered = before.getKey() + before.getValue().readableBytes();
            at += skip(bytes, covered - at);
        }
        try {
            while (bytes.isReadable()) {
                Map.Entry<Long, ByteBuf> after = held.ceilingEntry(at);
                if (after == null || after.getKey() >= at + bytes.readableBytes()) {
                    keep(at, bytes.readRetainedSlice(bytes.readableBytes()));
                } else {
                    int free = (int) (after.getKey() - at);
                    if (free > 0) {
                        keep(at, bytes.readRetainedSlice(free));
                    }
                    at = after.getKey();
                    at += skip(bytes, after.getValue().readableBytes());
                }
            }
        } finally {
            bytes.release(); // also when there is no memory to keep a part of it
        }
    }

    private void keep(long at, ByteBuf bytes) {
        int length = bytes.readableBytes();
        Map.Entry<Long, ByteBuf> before = held.lowerEntry(at);
        boolean follows = before != null && before.getKey() + before.getValue().readableBytes() == at;
        if (!follows || !gather(before.getValue(), bytes)) {
            held.put(at, lean(bytes));
        }
        heldBytes += length; // only now: without memory they are not held
    }

    /** Appends small bytes to a copy that grows; returns false when that is none, or has enough. */
    private static boolean gather(ByteBuf last, ByteBuf bytes) {
        int length = bytes.readableBytes();
        if (length > SMALL_BYTES
                || last.readableBytes() + length > GATHERED_BYTES
                || last.maxWritableBytes() < length) {
            return false;
        }
        try {
            last.writeBytes(bytes);
        } finally {
            bytes.release();
        }
        return true;
    }

    private static int skip(ByteBuf bytes, long count) {
        int skipped = (int) Math.max(0, Math.min(count, bytes.readableBytes()));
        bytes.skipBytes(skipped);
        return skipped;
    }

    /** Copies what is small, or a small part of a large buffer, since it would keep all of it in memory. */
    private static ByteBuf lean(ByteBuf bytes) {
        ByteBuf whole = bytes;
        for (ByteBuf inner = bytes.unwrap(); inner != null; inner = inner.unwrap()) {
            whole = inner; // what looks for leaks is one more around some of them
        }
        if (bytes.readableBytes() > SMALL_BYTES && whole.capacity() <= 2 * bytes.readableBytes()) {
            return bytes;
        }
        try {
            return bytes.alloc().directBuffer(bytes.readableBytes()).writeBytes(bytes);
        } finally {
            bytes.release();
        }
    }

    /** Returns the next bytes in order, whose owner is the caller then; {@code null} when there are none. */
    @Nullable
    ByteBuf poll() {
        ByteBuf bytes = ready.poll();
        if (bytes != null) {
            consumed += bytes.readableBytes();
            progressed();
        }
        return bytes;
    }

    boolean isEmpty() {
        return ready.isEmpty();
    }

    /** Returns the position of the first byte that was not received in order. */
    long next() {
        return next;
    }

    /** Returns the position up to which the reader has taken everything. */
    long consumed() {
        return consumed;
    }

    /** Returns the position that the other end must not reach. */
    long limit() {
        return window.limit();
    }

    /** Returns what the limit would be if nothing had been given back; it only grows. */
    long granted() {
        return window.limit() + window.givenBackBytes();
    }

    /** Returns how much the other end may be ahead of the reader now. */
    long windowBytes() {
        return window.bytes();
    }

    /** Drops everything. */
    void release() {
        ready.forEach(ByteBuf::release);
        ready.clear();
        held.values().forEach(ByteBuf::release);
        held.clear();
        window.release();
    }
}
