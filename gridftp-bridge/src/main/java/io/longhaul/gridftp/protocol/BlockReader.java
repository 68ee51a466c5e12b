package io.longhaul.gridftp.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Reads extended blocks from the bytes of one data connection, as they come: payload is given on in the parts in which it
 * arrives, so nothing but a header is ever kept.
 */
public final class BlockReader {
    private final long maxBlockBytes;
    private final int maxConnections;
    private final ByteBuf partial = Unpooled.buffer(BlockHeader.BYTES, BlockHeader.BYTES);
    private BlockHeader block = BlockHeader.endOfData();
    private long position;
    private long left;
    private boolean carried;

    /** Takes what a reader finds; called in the order of the bytes. */
    public interface Target {
        /** A block of data begins, or a header without payload was read. */
        void header(BlockHeader header);

        /** Payload for a position; the buffer is the target's to release. */
        void payload(long position, ByteBuf bytes);

        /** The connection has sent its part; nothing more is read until the next transfer. */
        void endOfData(BlockHeader header);
    }

    /**
     * Makes a reader.
     *
     * @param maxBlockBytes most payload of a block
     * @param maxConnections most EODs that an EOF may ask for
     */
    public BlockReader(long maxBlockBytes, int maxConnections) {
        this.maxBlockBytes = maxBlockBytes;
        this.maxConnections = maxConnections;
    }

    /**
     * Reads what it can; returns when the bytes are used up or the connection's part has ended, then with the next
     * transfer's bytes left. Throws {@link ProtocolException}.
     */
    public void read(ByteBuf in, Target target) {
        while (in.isReadable()) {
            carried = true;
            if (left > 0) {
                int length = (int) Math.min(left, in.readableBytes());
                target.payload(position, in.readRetainedSlice(length));
                position += length;
                left -= length;
                if (left == 0 && block.isEndOfData()) {
                    target.endOfData(block);
                    return;
                }
            } else if (header(in)) {
                target.header(block);
                if (left == 0 && block.isEndOfData()) {
                    target.endOfData(block);
                    return;
                }
            }
        }
    }

    /** Returns whether a whole header was read. */
    private boolean header(ByteBuf in) {
        int missing = BlockHeader.BYTES - partial.readableBytes();
        partial.writeBytes(in, Math.min(missing, in.readableBytes()));
        if (partial.readableBytes() < BlockHeader.BYTES) {
            return false;
        }
        block = BlockHeader.read(partial);
        partial.clear();
        block.check(maxBlockBytes, maxConnections);
        position = block.offset();
        left = block.isEndOfFile() ? 0 : block.count();
        return true;
    }

    /** Returns whether a connection that ends here ends between two blocks. */
    public boolean isBetweenBlocks() {
        return left == 0 && !partial.isReadable();
    }

    /** Returns whether anything was ever read. */
    public boolean hasCarried() {
        return carried;
    }
}
