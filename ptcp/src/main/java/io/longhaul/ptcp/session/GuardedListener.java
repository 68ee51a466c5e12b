package io.longhaul.ptcp.session;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the session when its listener fails in what it is told; what fails in reading is the {@link Receiver}'s. Else a
 * session would go on whose user has given it up. Event loop only.
 */
record GuardedListener(PtcpListener listener, Session session) implements PtcpListener {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedListener.class);
    private static final OncePerSecond FAILURES =
            new OncePerSecond((kind, story) -> LOG.warn("{}", story), System::nanoTime);

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

    /** Whose threads have ended before the session, as those of a client or server that is closed, has no use for it. */
    @Override
    public void closed(@Nullable PtcpException cause) {
        try {
            listener.closed(cause);
        } catch (RejectedExecutionException e) {
            LOG.debug("session {}: nobody is there any more to hear of its end", session.id(), e);
        } catch (RuntimeException | Error e) {
            FAILURES.accept("closed", "session " + session.id() + ": its user failed when it heard of its end: " + e);
        }
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
