package io.longhaul.ptcp.artemis;

import io.longhaul.ptcp.PtcpSession;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Ends a session when something does not happen in time. Its timer outlives the session and holds nothing of it, since a
 * crowd may come and go. Thread-safe.
 */
public final class TimeLimit {
    private final AtomicReference<@Nullable PtcpSession> waiting = new AtomicReference<>();

    /** Begins to wait; aborts the session with this reason unless {@link #end} is called in time. */
    public void start(PtcpSession session, Duration limit, String reason) {
        waiting.set(session);
        session.schedule(() -> expire(reason), limit);
    }

    private void expire(String reason) {
        PtcpSession session = waiting.get();
        if (session != null) {
            session.abort(reason);
        }
    }

    /** It has happened, or the session is over. */
    public void end() {
        waiting.set(null);
    }
}
