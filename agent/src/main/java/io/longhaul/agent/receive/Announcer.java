package io.longhaul.agent.receive;

import io.longhaul.agent.Delivered;
import io.longhaul.agent.Progress;
import io.longhaul.agent.SubscriptionListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the listener, one call at a time and in order, on a thread that may be held up without holding up anything else.
 *
 * <p>Progress that the listener is too slow for is replaced by newer progress. May be used from any thread.
 */
final class Announcer {
    private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);

    private final Executor thread;
    private final SubscriptionListener listener;
    private final Map<String, Progress> untold = new ConcurrentHashMap<>();

    Announcer(Executor thread, SubscriptionListener listener) {
        this.thread = thread;
        this.listener = listener;
    }

    void notice(String line) {
        call(() -> listener.notice(line));
    }

    void progress(Progress progress) {
        if (untold.put(progress.transfer(), progress) == null) {
            call(() -> {
                Progress newest = untold.remove(progress.transfer());
                if (newest != null) {
                    listener.progress(newest);
                }
            });
        }
    }

    /** Tells of an end; runs what is given after the listener has returned, whether or not it failed. */
    void ended(Delivered delivered, Runnable told) {
        execute(() -> {
            run(() -> listener.ended(delivered));
            told.run();
        });
    }

    private void call(Runnable action) {
        execute(() -> run(action));
    }

    private void execute(Runnable action) {
        try {
            thread.execute(action);
        } catch (RejectedExecutionException e) {
            LOG.debug("the subscription is closed: the listener is not called any more");
        }
    }

    /** An error of the listener's is its own, too: a transfer that it was told of must not wait for ever to be recorded. */
    private static void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("the subscription's listener failed", e);
        }
    }
}
