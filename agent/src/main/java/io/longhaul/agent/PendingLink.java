package io.longhaul.agent;

import io.longhaul.agent.artemis.ArtemisLink;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A link that is being made while something else goes on: on a busy machine both take their time. */
final class PendingLink {
    private static final Logger LOG = LoggerFactory.getLogger(PendingLink.class);

    private final CompletableFuture<ArtemisLink> made = new CompletableFuture<>();
    private final Thread thread;

    private PendingLink(AgentThreads threads, Callable<ArtemisLink> connect) {
        this.thread = threads.newThread(() -> make(connect));
    }

    static PendingLink begin(AgentThreads threads, Callable<ArtemisLink> connect) {
        PendingLink pending = new PendingLink(threads, connect);
        pending.thread.start();
        return pending;
    }

    private void make(Callable<ArtemisLink> connect) {
        try {
            ArtemisLink link = connect.call();
            if (!made.complete(link)) {
                link.close();
            }
        } catch (Exception | Error e) {
            made.completeExceptionally(e);
        }
    }

    /** Returns the link; throws what making it threw. */
    ArtemisLink await() throws InterruptedException {
        try {
            return made.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof InterruptedException interrupted) {
                throw interrupted;
            }
            throw new IllegalStateException("cannot connect", e.getCause());
        }
    }

    /** Gives up; the link is closed if it is made all the same. */
    void abandon() {
        if (made.completeExceptionally(new CancellationException("given up"))) {
            thread.interrupt();
        } else if (!made.isCompletedExceptionally()) {
            try {
                made.join().close();
            } catch (RuntimeException e) {
                LOG.warn("closing a link: {}", e.toString());
            }
        }
    }
}
