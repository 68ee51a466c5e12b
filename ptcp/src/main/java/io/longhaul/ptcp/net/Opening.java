package io.longhaul.ptcp.net;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The opener's listener, and the future that is done when the first stream stands. */
record Opening(PtcpSession session, PtcpListener listener, CompletableFuture<PtcpSession> result)
        implements PtcpListener {
    @Override
    public void opened() {
        listener.opened();
        result.complete(session);
    }

    @Override
    public void received(ByteBuf bytes) {
        listener.received(bytes);
    }

    @Override
    public void batchEnded() {
        listener.batchEnded();
    }

    @Override
    public void writabilityChanged(boolean writable) {
        listener.writabilityChanged(writable);
    }

    @Override
    public void closed(@Nullable PtcpException cause) {
        PtcpException why = cause == null
                ? new PtcpException(PtcpException.Code.ABORTED, "the session was closed before it was open")
                : cause;
        result.completeExceptionally(why);
        listener.closed(cause);
    }
}
