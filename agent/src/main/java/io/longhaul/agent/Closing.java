package io.longhaul.agent;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The end of an agent: it is closed once, and whoever closes it waits for that. Thread-safe. */
final class Closing {
    private final Runnable shut;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private boolean begun; // guarded by this
    private volatile @Nullable Thread closing; // where it is the caller's

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
     * @param own whether a thread of the agent asks, or what the application gave the agent: they must not wait for themselves,
     *     as what a listener hears of is recorded once it has returned, and the ledger must be open then
     */
    void close(boolean own) {
        boolean first = begin(own);
        if (first && own) {
            Thread closer = new Thread(this::run, "agent-closer");
            closer.setDaemon(false); // a process that ends waits for it
            closer.start();
        } else if (first) {
            boolean interrupted = Thread.interrupted(); // what is under way is to be recorded all the same
            run();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        } else if (!own && Thread.currentThread() != closing) {
            ended.join();
        }
    }

    private synchronized boolean begin(boolean own) {
        boolean first = !begun;
        begun = true;
        if (first && !own) {
            closing = Thread.currentThread();
        }
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
