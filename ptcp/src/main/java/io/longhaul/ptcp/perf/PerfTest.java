package io.longhaul.ptcp.perf;

import io.longhaul.ptcp.PtcpSession;
import java.util.concurrent.CompletableFuture;

/** A test that runs. Thread-safe; nothing blocks. */
public final class PerfTest {
    private final PtcpSession session;
    private final Conversation conversation;

    PerfTest(PtcpSession session, Conversation conversation) {
        this.session = session;
        this.conversation = conversation;
    }

    /** Returns what is done with the result, or fails with a {@link io.longhaul.ptcp.PtcpException}. */
    public CompletableFuture<PerfResult> result() {
        return conversation.result();
    }

    /** Returns what is done once the connection has ended, which is a moment after the result. */
    public CompletableFuture<Void> closed() {
        return conversation.closed();
    }

    /** Returns where the test is now; done on the session's event loop, where dependents must not block. */
    public CompletableFuture<PerfProgress> progress() {
        return CompletableFuture.supplyAsync(conversation::progress, session.executor());
    }

    /** Gives the test up. */
    public void stop(String reason) {
        session.abort(reason);
    }
}
