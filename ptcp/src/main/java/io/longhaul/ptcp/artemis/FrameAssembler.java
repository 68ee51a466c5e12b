package io.longhaul.ptcp.artemis;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * Puts frames that begin with their length together, such as those of the core protocol.
 *
 * <pre>
 * +--------+--------+--------+---
 * | length | packet | length | ...     length: 4 bytes, big-endian, without itself
 * +--------+--------+--------+---
 * </pre>
 *
 * What the socket gave in large parts becomes part of the frame as it is; Artemis copies a message out of it once. Artemis takes
 * a frame's capacity for its end, so that a buffer is exactly as long as its frame. One thread at a time.
 */
public final class FrameAssembler {
    private static final int LENGTH_BYTES = Integer.BYTES;

    /** Smaller parts are copied: each costs more than its bytes do. */
    private static final int LEAST_SHARED_BYTES = 8 * 1024;

    /** A part keeps all of what the socket gave in memory, which may be this many times its bytes and no more. */
    private static final int MOST_KEPT_TIMES = 16;

    private static final int COPIED_BYTES = 16 * 1024;

    private final ByteBufAllocator allocator;
    private final FrameGuard guard;
    private int length; // of the current frame's packet, as far as it is known
    private int lengthBytes; // how many bytes of it are known
    private int missing; // bytes of the current frame that are still to come
    private final ArrayDeque<ByteBuf> parts = new ArrayDeque<>(); // of the current frame, its length in front

    /** Takes where frames are made and what says which ones may come. */
    public FrameAssembler(ByteBufAllocator allocator, FrameGuard guard) {
        this.allocator = allocator;
        this.guard = guard;
    }

    /**
     * Takes bytes and gives each frame that they complete, its reader index behind the length; the frame is released
     * after the call. Throws {@link PtcpException} PROTOCOL for a frame that the guard does not want.
     */
    public void take(ByteBuf in, Consumer<ByteBuf> frames) {
        while (in.isReadable()) {
            if (missing == 0) {
                length = length << Byte.SIZE | in.readUnsignedByte();
                lengthBytes++;
                if (lengthBytes == LENGTH_BYTES) {
                    begin(in);
                }
            } else {
                append(in);
                if (missing == 0) {
                    finish(frames);
                }
            }
        }
    }

    private void begin(ByteBuf in) {
        if (length < 1 || length > guard.mostBytes()) {
            throw new PtcpException(
                    PtcpException.Code.PROTOCOL, "a frame of " + length + " bytes, expected 1.." + guard.mostBytes());
        }
        missing = length;
        boolean shared = isShared(in, Math.min(in.readableBytes(), length));
        copied(shared ? LENGTH_BYTES : LENGTH_BYTES + length).writeInt(length);
        length = 0;
        lengthBytes = 0;
    }

    private void append(ByteBuf in) {
        int count = Math.min(in.readableBytes(), missing);
        if (isShared(in, count)) {
            parts.add(in.readRetainedSlice(count));
        } else {
            ByteBuf part = copied(missing);
            count = Math.min(count, part.writableBytes());
            part.writeBytes(in, count);
        }
        missing -= count;
    }

    private static boolean isShared(ByteBuf in, int count) {
        ByteBuf whole = in.unwrap() == null ? in : in.unwrap();
        return count >= LEAST_SHARED_BYTES && whole.capacity() / MOST_KEPT_TIMES <= count;
    }

    /** Returns where small parts go: the last one while it has room, or a new one for so many bytes at most. */
    private ByteBuf copied(int most) {
        ByteBuf last = parts.peekLast();
        if (last == null || !last.isWritable()) {
            int bytes = Math.min(most, COPIED_BYTES);
            last = allocator.directBuffer(bytes, bytes);
            parts.add(last);
        }
        return last;
    }

    private void finish(Consumer<ByteBuf> frames) {
        ByteBuf whole = parts.size() == 1
                ? parts.remove()
                : allocator.compositeDirectBuffer(parts.size()).addComponents(true, parts);
        parts.clear();
        try {
            if (!guard.accepts(whole)) {
                throw new PtcpException(PtcpException.Code.PROTOCOL, "a first frame that is none");
            }
            frames.accept(whole.skipBytes(LENGTH_BYTES));
        } finally {
            whole.release();
        }
    }

    /** Drops what is half there. */
    public void release() {
        parts.forEach(ByteBuf::release);
        parts.clear();
        missing = 0;
    }
}
