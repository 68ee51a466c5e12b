package io.longhaul.agent;

import java.util.concurrent.CompletableFuture;

/** The end of an agent: it is closed once, and whoever closes it waits for that. Thread-safe. */
final class Closing {
    private final Runnable shut;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private boolean begun; // guarded by this

    /** Takes what closes it. */
    Closing(Runnable shut) {
        this.shut = shut;
    }

    /** Throws {@link AgentException.Code#INTERRUPTED} from the beginning of the end on. */
    synchronized void requireOpen() {
        if (begun) {
            throw new AgentException(AgentException.Code.INTERRUPTED, "the agent is closed");
        }
    }

    /**
     * Closes, or waits until somebody else has.
     *
     * @param own whether a thread of the agent asks, which must not wait for itself: what a listener hears of is recorded once it
     *     has returned, and the ledger must be open then
     */
    void close(boolean own) {
        if (begin()) {
            Thread closer = new Thread(this::run, "agent-closer");
            closer.setDaemon(false); // a process that ends waits for it
            closer.start();
        }
        if (!own) {
            // an interrupt does not end it: what is under way is to be recorded all the same
            ended.join();
        }
    }

    private synchronized boolean begin() {
        boolean first = !begun;
        begun = true;
        return first;
    }

    private void run() {
        try {
            shut.run();
        } finally {
            ended.complete(null);
        }
    }
}
