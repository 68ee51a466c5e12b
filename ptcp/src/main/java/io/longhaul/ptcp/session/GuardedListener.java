package io.longhaul.ptcp.session;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Ends the session when its listener fails in what it is told; what fails in reading is the {@link Receiver}'s. Else a
 * session would go on whose user has given it up. Event loop only.
 */
record GuardedListener(PtcpListener listener, Session session) implements PtcpListener {
    @Override
    public void opened() {
        guard(listener::opened);
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
        guard(() -> listener.writabilityChanged(writable));
    }

    @Override
    public void closed(@Nullable PtcpException cause) {
        listener.closed(cause);
    }

    private void guard(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            PtcpException failure =
                    new PtcpException(PtcpException.Code.ABORTED, "this end failed: " + e.getMessage(), e);
            // later, since it may be in the middle of something
            session.loop().execute(() -> session.fail(failure));
        }
    }
}
