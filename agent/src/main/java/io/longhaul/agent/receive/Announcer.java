package io.longhaul.agent.receive;

import io.longhaul.agent.Callbacks;
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
    private final String name;
    private final Map<String, Progress> untold = new ConcurrentHashMap<>();

    /** Takes what the listener is called when it fails. */
    Announcer(Executor thread, SubscriptionListener listener, String name) {
        this.thread = thread;
        this.listener = listener;
        this.name = name;
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
            Callbacks.call(name, () -> listener.ended(delivered));
            told.run();
        });
    }

    private void call(Runnable action) {
        execute(() -> Callbacks.call(name, action));
    }

    private void execute(Runnable action) {
        try {
            thread.execute(action);
        } catch (RejectedExecutionException e) {
            LOG.debug("the subscription is closed: the listener is not called any more");
        }
    }
}
