package io.longhaul.agent.artemis;

import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.LinkException.Code;
import io.longhaul.agent.link.LinkListener;
import org.jspecify.annotations.Nullable;

/**
 * Whether the broker has ever let this link in, and what it says as long as it does not. Thread-safe.
 *
 * <p>A login that was good once is tried again for ever, as an outage is: an account may be mended while everything waits.
 */
final class Welcome {
    private @Nullable LinkException last; // guarded by this
    private boolean granted; // guarded by this

    /** There is a connection. */
    synchronized void granted() {
        granted = true;
        last = null;
    }

    /** An attempt has failed; the listener hears of each kind of failure once, of an outage only before the first connection. */
    void failed(LinkException why, LinkListener listener) {
        boolean news;
        synchronized (this) {
            news = (last == null || last.code() != why.code()) && (!granted || why.code() != Code.UNREACHABLE);
            last = why;
        }
        if (news) {
            listener.disconnected(String.valueOf(why.getMessage()));
        }
    }

    /** Throws what the broker said to a login that was never good: waiting for an answer is of no use. */
    synchronized void check() {
        if (!granted && last != null && last.code() == Code.UNAUTHENTICATED) {
            throw new LinkException(last.code(), String.valueOf(last.getMessage()), last);
        }
    }
}
