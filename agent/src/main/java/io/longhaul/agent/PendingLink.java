package io.longhaul.agent;

import io.longhaul.agent.artemis.ArtemisLink;
import io.longhaul.agent.link.LinkListener;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A link that is being made while something else goes on: on a busy machine both take their time. */
final class PendingLink {
    private static final Logger LOG = LoggerFactory.getLogger(PendingLink.class);

    private final CompletableFuture<ArtemisLink> made = new CompletableFuture<>();
    private final Thread thread;

    private PendingLink(AgentConfig config, Consumer<String> notices, AgentThreads threads) {
        this.thread = threads.newThread(() -> make(config, notices, threads));
    }

    static PendingLink begin(AgentConfig config, Consumer<String> notices, AgentThreads threads) {
        PendingLink pending = new PendingLink(config, notices, threads);
        pending.thread.start();
        return pending;
    }

    private void make(AgentConfig config, Consumer<String> notices, AgentThreads threads) {
        try {
            ArtemisLink link = connect(config, notices, threads);
            if (!made.complete(link)) {
                link.close();
            }
        } catch (Exception | Error e) {
            made.completeExceptionally(e);
        }
    }

    private static ArtemisLink connect(AgentConfig config, Consumer<String> notices, AgentThreads threads)
            throws InterruptedException {
        long eighth = Runtime.getRuntime().maxMemory() / 8;
        ArtemisLink.Config linkConfig =
                new ArtemisLink.Config(config.broker(), config.user(), config.password(), config.windowBytes(), (int)
                        Math.min(32L << 20, eighth));
        LinkListener weather = new Weather(config.broker(), !config.offline(), notices);
        return config.offline()
                ? ArtemisLink.start(linkConfig, weather, threads.keeper(), System::nanoTime)
                : ArtemisLink.connect(linkConfig, config.connectTimeout(), weather, threads.keeper(), System::nanoTime);
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
