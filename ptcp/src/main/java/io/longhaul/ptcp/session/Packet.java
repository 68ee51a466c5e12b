package io.longhaul.ptcp.session;

import io.netty.buffer.ByteBuf;

/** A stretch of the stream on its way, kept until the other end has it; event loop only. */
final class Packet {
    private final long position;
    private final ByteBuf bytes;
    private int stream;
    private long sentNs;

    Packet(long position, ByteBuf bytes) {
        this.position = position;
        this.bytes = bytes;
    }

    long position() {
        return position;
    }

    int length() {
        return bytes.readableBytes();
    }

    long end() {
        return position + length();
    }

    /** Returns the bytes for one sending, which releases them. */
    ByteBuf take() {
        return bytes.retainedDuplicate();
    }

    /** Notes which stream carries it. */
    void sent(int number, long nowNs) {
        stream = number;
        sentNs = nowNs;
    }

    int stream() {
        return stream;
    }

    long sentNs() {
        return sentNs;
    }

    void release() {
        bytes.release();
    }
}
