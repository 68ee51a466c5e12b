package io.longhaul.ptcp.net;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Hears nothing. */
public final class Deaf implements PtcpListener {
    @Override
    public void received(ByteBuf bytes) {}

    @Override
    public void writabilityChanged(boolean writable) {}

    @Override
    public void closed(@Nullable PtcpException cause) {}
}
