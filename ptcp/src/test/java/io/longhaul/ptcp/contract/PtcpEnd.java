package io.longhaul.ptcp.contract;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** An end of a session. */
record PtcpEnd(PtcpSession session, Received received) implements ByteStream, PtcpListener {
    @Override
    public void received(ByteBuf bytes) {
        received.take(bytes);
    }

    @Override
    public void writabilityChanged(boolean writable) {}

    @Override
    public void closed(@Nullable PtcpException cause) {
        received.ended(cause);
    }

    @Override
    public void write(ByteBuf bytes) {
        session.write(bytes);
    }

    @Override
    public boolean isWritable() {
        return session.isWritable();
    }

    @Override
    public void setReading(boolean reading) {
        session.setReading(reading);
    }

    @Override
    public void close() {
        session.close();
    }

    @Override
    public String toString() {
        return session.snapshot() + ", received " + received.count() + ", ended with " + received.cause();
    }
}
