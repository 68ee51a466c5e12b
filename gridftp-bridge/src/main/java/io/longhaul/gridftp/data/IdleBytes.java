package io.longhaul.gridftp.data;

import io.longhaul.gridftp.protocol.BlockHeader;
import io.netty.buffer.ByteBuf;

/** What may come over a connection between two MODE E transfers: a CLOSE, or the beginning of the next one. */
final class IdleBytes {
    private IdleBytes() {}

    static void look(DataLink link, ByteBuf bytes) {
        if (bytes.readableBytes() == BlockHeader.BYTES
                && bytes.getUnsignedByte(bytes.readerIndex()) == BlockHeader.CLOSE) {
            bytes.release();
            link.close();
        } else {
            link.hold(bytes);
        }
    }
}
