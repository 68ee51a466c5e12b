package io.longhaul.ptcp.session;

import io.netty.channel.EventLoop;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The event loop that a session runs on, and its time; thread-safe. What comes after the loop's end is dropped. */
final class SessionLoop implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(SessionLoop.class);
    private final EventLoop loop;

    SessionLoop(EventLoop loop) {
        this.loop = loop;
    }

    long nowNs() {
        return System.nanoTime();
    }

    boolean isHere() {
        return loop.inEventLoop();
    }

    /** Runs it, at once when this is the loop. */
    void now(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
        } else {
            execute(task);
        }
    }

    /** Runs it, never inside of what runs there now. */
    @Override
    public void execute(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("the event loop has ended", e);
        }
    }

    void afterPause(Runnable task, long pauseNs) {
        loop.schedule(task, pauseNs, TimeUnit.NANOSECONDS);
    }

    Future<?> every(Runnable task, long periodNs) {
        return loop.scheduleAtFixedRate(task, periodNs, periodNs, TimeUnit.NANOSECONDS);
    }
}
