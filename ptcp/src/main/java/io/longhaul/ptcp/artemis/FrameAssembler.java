package io.longhaul.ptcp.artemis;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts frames that begin with their length together, such as those of the core protocol: each byte is copied once, from what the socket gave to the frame.
 *
 * <pre>
 * +--------+--------+--------+---
 * | length | packet | length | ...     length: 4 bytes, big-endian, without itself
 * +--------+--------+--------+---
 * </pre>
 *
 * Artemis takes a frame's capacity for its end, so that a buffer is exactly as long as its frame. One thread at a time.
 */
public final class FrameAssembler {
    private static final int LENGTH_BYTES = Integer.BYTES;
    private final ByteBufAllocator allocator;
    private final FrameGuard guard;
    private int length; // of the current frame's packet, as far as it is known
    private int lengthBytes; // how many bytes of it are known
    private @Nullable ByteBuf frame;

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
            ByteBuf current = frame;
            if (current == null) {
                length = length << Byte.SIZE | in.readUnsignedByte();
                lengthBytes++;
                if (lengthBytes == LENGTH_BYTES) {
                    frame = begin();
                }
            } else {
                current.writeBytes(in, Math.min(in.readableBytes(), current.writableBytes()));
                if (!current.isWritable()) {
                    frame = null;
                    finish(current, frames);
                }
            }
        }
    }

    private ByteBuf begin() {
        if (length < 1 || length > guard.mostBytes()) {
            throw new PtcpException(
                    PtcpException.Code.PROTOCOL, "a frame of " + length + " bytes, expected 1.." + guard.mostBytes());
        }
        ByteBuf begun = allocator.directBuffer(LENGTH_BYTES + length, LENGTH_BYTES + length);
        begun.writeInt(length);
        length = 0;
        lengthBytes = 0;
        return begun;
    }

    private void finish(ByteBuf whole, Consumer<ByteBuf> frames) {
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
        if (frame != null) {
            frame.release();
            frame = null;
        }
    }
}
