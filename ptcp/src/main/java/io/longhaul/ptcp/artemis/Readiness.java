package io.longhaul.ptcp.artemis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.apache.activemq.artemis.spi.core.remoting.ReadyListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a connection takes more, and who waits for it to; thread-safe.
 *
 * <p>Asking and enrolling are one step, so that nobody enrols just after the call came.
 */
final class Readiness {
    private static final Logger LOG = LoggerFactory.getLogger(Readiness.class);
    private final List<ReadyListener> waiting = new ArrayList<>(); // guarded by this
    private boolean ready = true; // guarded by this

    synchronized boolean isReadyOrEnrol(ReadyListener listener) {
        if (!ready) {
            waiting.add(listener);
        }
        return ready;
    }

    void set(boolean value) {
        List<ReadyListener> called;
        synchronized (this) {
            ready = value;
            if (!value) {
                return;
            }
            called = List.copyOf(waiting);
            waiting.clear();
        }
        for (ReadyListener listener : called) {
            try {
                listener.readyForWriting();
            } catch (RejectedExecutionException e) {
                LOG.debug("a waiting writer has ended", e);
            } catch (RuntimeException e) {
                LOG.warn("a waiting writer failed", e);
            }
        }
    }
}
