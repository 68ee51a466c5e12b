package io.longhaul.gridftp.data;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** TYPE A (RFC 959 section 3.1.1.1): lines end with CR LF on the network and with LF here. One direction each. */
final class TextLines {
    private boolean afterReturn;

    /** Returns the text as the system has it; the buffer given is used up. */
    ByteBuf fromNetwork(ByteBuf bytes) {
        ByteBuf text = bytes.alloc().buffer(bytes.readableBytes() + 1);
        while (bytes.isReadable()) {
            byte next = bytes.readByte();
            if (afterReturn && next != '\n') {
                text.writeByte('\r');
            }
            afterReturn = next == '\r';
            if (!afterReturn) {
                text.writeByte(next);
            }
        }
        bytes.release();
        return text;
    }

    /** Returns what was kept back at the end of the text, which was no line's end. */
    ByteBuf rest(ByteBufAllocator memory) {
        ByteBuf rest = memory.buffer(1);
        if (afterReturn) {
            rest.writeByte('\r');
            afterReturn = false;
        }
        return rest;
    }

    /** Returns the text as the network has it; what has CR LF already keeps it. The buffer given is used up. */
    ByteBuf toNetwork(ByteBuf bytes) {
        ByteBuf text = bytes.alloc().buffer(bytes.readableBytes() + bytes.readableBytes() / Byte.SIZE + 1);
        while (bytes.isReadable()) {
            byte next = bytes.readByte();
            if (next == '\n' && !afterReturn) {
                text.writeByte('\r');
            }
            afterReturn = next == '\r';
            text.writeByte(next);
        }
        bytes.release();
        return text;
    }
}
