package io.longhaul.ptcp.contract;

import io.netty.buffer.ByteBuf;

/** One end of a connection, as the contract sees it. */
interface ByteStream {
    void write(ByteBuf bytes);

    boolean isWritable();

    void setReading(boolean reading);

    void close();

    /** What came so far. */
    Received received();
}
